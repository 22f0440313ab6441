#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "orlop/postgresql.h"
#include "store/store.h"

namespace orlop::contract {

// Opens a store in `schema`, through the adapter of bindings/c. `writer_idle_timeout_ms`: the suite leaves writers open
// while it reads everything, which on a busy machine takes longer than the usual timeout.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& connection, const std::string& schema,
                                               std::int64_t lock_timeout_ms = 0,
                                               std::int64_t writer_idle_timeout_ms = 600'000);

// Opens a store with these options; sets their size.
Result<std::unique_ptr<Store>> open_postgresql(const orlop_postgresql_options& options);

}  // namespace orlop::contract
