// A connection of libpq: one of the store, or one that the host lends.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <string>

#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

// Closes a connection, or returns it to the host in the state in which it was acquired.
class LinkEnd {
 public:
  LinkEnd() = default;
  LinkEnd(HostPool host_pool, bool was_nonblocking) : host_pool_(host_pool), was_nonblocking_(was_nonblocking) {}
  void operator()(PGconn* link) const noexcept;
  // The host must close the connection in any case.
  void discard() { is_discarded_ = true; }

 private:
  HostPool host_pool_;
  bool was_nonblocking_ = false;
  bool is_discarded_ = false;
};

using Link = std::unique_ptr<PGconn, LinkEnd>;

// Connects, or acquires a connection of the host within this time. Errors: STORAGE_BUSY (there is none; Kind::lost if
// it could not be established), STORAGE_FAILED (the state of the host's connection is not the required one),
// OUT_OF_MEMORY.
Status open_link(const Settings& settings, std::chrono::milliseconds timeout, Link& link);

// Return a message of libpq on one line, alone and as the reason of a lost connection.
std::string line_of(const char* message);
std::string lost_words(const Settings& settings, const char* reason);

// Called once it is established: a child of fork() then closes its copy of the socket immediately. Otherwise the server
// would not notice the end of the parent while a child lives, and would keep its locks and its open transaction. Throws
// std::bad_alloc.
void note_socket(const Link& link);

}  // namespace orlop::postgresql
