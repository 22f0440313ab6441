#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "orlop/postgresql.h"
#include "store/store.h"

namespace orlop::contract {

// A store in `schema`, through the adapter of bindings/c. `writer_idle_timeout_ms`: the suite leaves writers open while
// it reads all that is stored, which takes longer than the usual timeout on a machine that is busy.
Result<std::unique_ptr<Store>> open_postgresql(const std::string& connection, const std::string& schema,
                                               std::int64_t lock_timeout_ms = 0,
                                               std::int64_t writer_idle_timeout_ms = 600'000);

// With these options, whose size is set.
Result<std::unique_ptr<Store>> open_postgresql(const orlop_postgresql_options& options);

}  // namespace orlop::contract
