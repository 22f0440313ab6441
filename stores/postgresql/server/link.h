// A connection of libpq: one of the store, or one that the host has lent.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <string>

#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

// Closes a connection, or gives it back to the host as it was acquired.
class LinkEnd {
 public:
  LinkEnd() = default;
  LinkEnd(HostPool host_pool, bool was_nonblocking) : host_pool_(host_pool), was_nonblocking_(was_nonblocking) {}
  void operator()(PGconn* link) const noexcept;
  // The host is to close it, whatever it looks like.
  void discard() { is_discarded_ = true; }

 private:
  HostPool host_pool_;
  bool was_nonblocking_ = false;
  bool is_discarded_ = false;
};

using Link = std::unique_ptr<PGconn, LinkEnd>;

// Connects, or acquires a connection of the host within this time. Errors: STORAGE_BUSY (there is none; Kind::lost if
// it could not be established), STORAGE_FAILED (the host's is not as the
// store needs it), OUT_OF_MEMORY.
Status open_link(const Settings& settings, std::chrono::milliseconds timeout, Link& link);

// A message of libpq on one line, and as the reason of a connection that is lost.
std::string line_of(const char* message);
std::string lost_words(const Settings& settings, const char* reason);

// Once it is established: a child of fork() closes its copy of the socket at once. The server would not notice the end
// of the parent while a child lives, and with it keep its locks and its open transaction. Throws std::bad_alloc.
void note_socket(const Link& link);

}  // namespace orlop::postgresql
