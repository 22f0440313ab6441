// The server that server.py has started for the tests.
#pragma once

#include <string>

namespace orlop::contract {

// Returns a value of the file that server.py wrote: "direct", "tls" or "pooled"; "" if it is missing.
std::string connection_to(const std::string& name);

// Waits until these server processes, numbers separated by spaces, are gone: only then are their connections closed.
// (pg_terminate_backend() can wait since version 14.)
void wait_for_end_of(const std::string& processes);

}  // namespace orlop::contract
