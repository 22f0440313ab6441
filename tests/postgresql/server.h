// The server that server.py has started for the tests.
#pragma once

#include <string>

namespace orlop::contract {

// A value of the file that server.py wrote: "direct", "tls" or "pooled". "" if it is not there.
std::string connection_to(const std::string& name);

// Until these processes of the server, by number and with a space between them, are gone: only then are their
// connections closed. (pg_terminate_backend() waits by itself since version 14.)
void wait_for_end_of(const std::string& processes);

}  // namespace orlop::contract
