#include "server/link.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace orlop::postgresql {
namespace {

// libpq closes the socket of a lost connection, and a file of the host may reuse its number: the inode identifies the
// socket.
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
    if (::fstat(socket.number, &found) == 0 && S_ISSOCK(found.st_mode) && found.st_ino == socket.inode)
      ::close(socket.number);
  }
  sockets().noted.clear();
  sockets().mutex.unlock();
}

Status lost_link(const Settings& settings, const char* reason) {
  return {ORLOP_ERROR_STORAGE_BUSY, lost_words(settings, reason), Status::Kind::lost};
}

[[maybe_unused]] const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

}  // namespace

void LinkEnd::operator()(PGconn* link) const noexcept {
  {
    const std::lock_guard lock(sockets().mutex);
    sockets().noted.erase(link);
  }
  if (!host_pool_) return PQfinish(link);
  const bool is_usable = !is_discarded_ && PQstatus(link) == CONNECTION_OK && PQexitPipelineMode(link) == 1 &&
                         PQtransactionStatus(link) == PQTRANS_IDLE &&
                         PQsetnonblocking(link, was_nonblocking_ ? 1 : 0) == 0;
  host_pool_.release(host_pool_.pool, link, is_usable ? 1 : 0);
}

Status open_link(const Settings& settings, std::chrono::milliseconds timeout, Link& link) {
  const HostPool& pool = settings.host_pool;
  if (!pool) {
    link = Link(PQconnectdbParams(list_of(settings.names).data(), list_of(settings.values).data(), 0));
    if (!link) return {ORLOP_ERROR_OUT_OF_MEMORY, "no memory for a connection to " + settings.server};
    PQsetNoticeReceiver(
        link.get(), [](void*, const PGresult*) {}, nullptr);
    if (PQstatus(link.get()) != CONNECTION_OK) return lost_link(settings, PQerrorMessage(link.get()));
    note_socket(link);
    return {};
  }
  PGconn* const acquired = pool.acquire(pool.pool, timeout.count());
  if (acquired == nullptr)
    return {ORLOP_ERROR_STORAGE_BUSY,
            settings.server + ": acquire gave none within " + std::to_string(timeout.count()) + " ms"};
  link = Link(acquired, LinkEnd(pool, PQisnonblocking(acquired) == 1));
  if (PQstatus(acquired) != CONNECTION_OK) return lost_link(settings, PQerrorMessage(acquired));
  const char* const encoding = PQparameterStatus(acquired, "client_encoding");
  const bool is_idle = PQtransactionStatus(acquired) == PQTRANS_IDLE && PQpipelineStatus(acquired) == PQ_PIPELINE_OFF;
  if (!is_idle) link.get_deleter().discard();
  if (!is_idle) return failed(settings.server + ": the acquired connection is in a transaction or in pipeline mode");
  if (encoding == nullptr || std::string_view(encoding) != "UTF8") {
    return failed(settings.server + ": the client_encoding of the acquired connection is " +
                  (encoding == nullptr ? "unknown" : encoding) + ", and must be UTF8");
  }
  if (PQsetnonblocking(acquired, 0) != 0) return lost_link(settings, PQerrorMessage(acquired));
  note_socket(link);
  return {};
}

std::string line_of(const char* message) {
  std::string line = message == nullptr ? "" : message;
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  std::ranges::replace(line, '\n', ' ');
  std::erase(line, '\t');
  return line;
}

std::string lost_words(const Settings& settings, const char* reason) {
  const std::string line = line_of(reason);
  return "the connection to " + settings.server + " is lost: " + (line.empty() ? "no reason is known" : line);
}

void note_socket(const Link& link) {
  struct stat found = {};
  const int number = PQsocket(link.get());
  if (::fstat(number, &found) != 0) return;
  const std::lock_guard lock(sockets().mutex);
  sockets().noted[link.get()] = {number, found.st_ino};
}

}  // namespace orlop::postgresql
