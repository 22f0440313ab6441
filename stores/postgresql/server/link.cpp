#include "server/link.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <mutex>

namespace orlop::postgresql {
namespace {

// libpq closes the socket of a connection that is lost, and its number may be that of a file of the host by then: the inode says whether it is the same socket.
struct Socket {
  int number;
  ino_t inode;
};

struct Sockets {
  std::mutex mutex;
  std::map<const PGconn*, Socket> noted;
};
// Never destroyed: connections may end after static objects.
Sockets& sockets() {
  static auto& kept = *new Sockets;
  return kept;
}

void before_fork() { sockets().mutex.lock(); }
void after_fork_in_parent() { sockets().mutex.unlock(); }
void after_fork_in_child() {
  for (const auto& [link, socket] : sockets().noted) {
    struct stat found = {};
    if (::fstat(socket.number, &found) == 0 && S_ISSOCK(found.st_mode) && found.st_ino == socket.inode) ::close(socket.number);
  }
  sockets().noted.clear();
  sockets().mutex.unlock();
}

[[maybe_unused]] const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

void close_link(PGconn* link) noexcept {
  {
    const std::lock_guard lock(sockets().mutex);
    sockets().noted.erase(link);
  }
  PQfinish(link);
}

void note_socket(const Link& link) {
  struct stat found = {};
  const int number = PQsocket(link.get());
  if (::fstat(number, &found) != 0) return;
  const std::lock_guard lock(sockets().mutex);
  sockets().noted[link.get()] = {number, found.st_ino};
}

}  // namespace orlop::postgresql
