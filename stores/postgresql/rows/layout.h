// The tables of the store, and their migration.
#pragma once

#include <cstdint>
#include <string>

#include "server/connection.h"
#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

inline constexpr int layout_version = 2;

// What creates version 1, and what brings it to version 2; @ stands for the quoted schema and a point.
extern const char* const layout_1;
extern const char* const layout_2;

// Makes the schema, or brings it to layout_version, in one transaction. Processes that do so at once wait for each
// other. A role without the right to create needs nothing but to read, if the layout is the current one. A role that
// may write the names of the families puts them right. Errors: STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_FOREIGN,
// STORAGE_BUSY, STORAGE_FAILED.
Status prepare_schema(Connection& connection, const Settings& settings);

// The number of the advisory lock that a writer of this schema holds.
std::int64_t lock_of(const std::string& schema);

}  // namespace orlop::postgresql
