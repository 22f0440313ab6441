// A connection of libpq.
#pragma once

#include <libpq-fe.h>

#include <memory>

namespace orlop::postgresql {

// Closes the connection.
void close_link(PGconn* link) noexcept;

using Link = std::unique_ptr<PGconn, void (*)(PGconn*)>;
inline Link no_link() { return {nullptr, close_link}; }

// Once it is established: a child of fork() closes its copy of the socket at once. The server would not notice the end of the parent while a child lives, and with it keep its locks
// and its open transaction. Throws std::bad_alloc.
void note_socket(const Link& link);

}  // namespace orlop::postgresql
