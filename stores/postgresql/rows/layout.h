// Tables of the store, and their migration.
#pragma once

#include <cstdint>
#include <string>

#include "server/connection.h"
#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

inline constexpr int layout_version = 2;

// SQL that creates version 1, and SQL that migrates it to version 2; @ is replaced by the quoted schema and a dot.
extern const char* const layout_1;
extern const char* const layout_2;

// Creates the schema, or migrates it to layout_version, in one transaction. Processes that do so at once wait for each
// other. If the layout is current, a role needs only the right to read; a role that may write the names of the families
// corrects them. Errors: STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_FOREIGN, STORAGE_BUSY, STORAGE_FAILED.
Status prepare_schema(Connection& connection, const Settings& settings);

// Returns the number of the advisory lock that a writer of this schema holds.
std::int64_t lock_of(const std::string& schema);

}  // namespace orlop::postgresql
