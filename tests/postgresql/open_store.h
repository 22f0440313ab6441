#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "store/store.h"

namespace orlop::contract {

// A store in `schema`, through the adapter of bindings/c.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& connection, const std::string& schema, std::int64_t lock_timeout_ms = 0);

}  // namespace orlop::contract
