// The server that server.py has started for the tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "orlop/postgresql.h"
#include "store/store.h"

namespace orlop::contract {

// A value of the file that server.py wrote: "direct", "tls" or "pooled". "" if it is not there.
std::string connection_to(const std::string& name);

// A store in `schema`, through the adapter of bindings/c.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& connection, const std::string& schema, std::int64_t lock_timeout_ms = 0);

}  // namespace orlop::contract
