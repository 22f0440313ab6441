// The server that server.py has started for the tests.
#pragma once

#include <string>

namespace orlop::contract {

// A value of the file that server.py wrote: "direct", "tls" or "pooled". "" if it is not there.
std::string connection_to(const std::string& name);

}  // namespace orlop::contract
