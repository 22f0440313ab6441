#include "store/sqlite/check/file_check.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/layout/objects.h"

namespace orlop {
namespace {

struct FileCheck {
  std::string_view type;
  const char* statement;
  std::string_view fault;
  std::string_view what_to_do;
};

constexpr std::array file_checks = {
#define ORLOP_FILE_CHECK(...) FileCheck{__VA_ARGS__},
#include "store/sqlite/check/checks.def"
#undef ORLOP_FILE_CHECK
};

// A column whose values have a smaller range than SQLite's integers.
struct Bounds {
  std::string_view table;
  std::string_view column;
  std::int64_t most;
  std::int64_t least = 0;
};

constexpr std::int64_t byte_max = UINT8_MAX;
constexpr std::array bounded_columns = {
    Bounds{"record", "family", UINT16_MAX, 1},
    Bounds{"record", "revision", INT64_MAX},
    Bounds{"machine", "family", UINT16_MAX, 1},
    Bounds{"machine", "partition", 63},
    Bounds{"machine", "revision", INT64_MAX, 1},
    Bounds{"machine", "state", byte_max},
    Bounds{"machine", "origin_state", byte_max},
    Bounds{"machine", "action", byte_max},
    Bounds{"machine", "freshness", byte_max},
    Bounds{"machine", "running", byte_max},
    Bounds{"machine", "step_kind", byte_max},
    Bounds{"machine", "configuration", byte_max},
    Bounds{"machine", "active", 1},
    Bounds{"machine", "attempt", UINT16_MAX},
    Bounds{"machine", "plan_flags", UINT32_MAX},
    Bounds{"machine", "planned_flags", UINT32_MAX},
    Bounds{"machine", "stage_order", INT32_MAX, INT32_MIN},
    Bounds{"machine", "request_number", INT32_MAX, INT32_MIN},
    Bounds{"machine", "progress", INT64_MAX},
    Bounds{"machine", "configured", INT64_MAX},
    Bounds{"machine", "deployed", INT64_MAX},
    Bounds{"event", "sequence", INT64_MAX, 1},
    Bounds{"event", "kind", byte_max},
    Bounds{"event", "family", UINT16_MAX},
    Bounds{"event", "from_state", byte_max},
    Bounds{"event", "to_state", byte_max},
    Bounds{"event", "revision", INT64_MAX},
    Bounds{"event", "id_count", UINT32_MAX},
    Bounds{"inbox", "kind", byte_max},
    Bounds{"inbox", "running", byte_max},
};

void require_whole_pages(SQLite::Database& database) {
  std::string found = database.execAndGet("PRAGMA integrity_check(1)").getString();
  if (found == "ok") return;
  std::ranges::replace(found, '\n', ' ');
  throw SQLite::Exception(found, SQLITE_CORRUPT);
}

void check_column(SQLite::Database& database, const std::string& table, const std::string& column,
                  const std::string& condition, const std::string& fault, const FaultVisitor& visit) {
  const std::int64_t count = database.execAndGet("SELECT count(*) FROM " + table + " WHERE " + condition).getInt64();
  if (count == 0) return;
  const std::string times = ", " + std::to_string(count) + " times";
  visit({"column", table + "." + column, fault + times, std::string(advice::backup)});
}

// SQLite stores a value of any type in any column.
void check_types(SQLite::Database& database, const FaultVisitor& visit) {
  for (const std::string& table : sqlite_tables()) {
    SQLite::Statement columns(database, "SELECT name, lower(type) FROM pragma_table_info(?1)");
    columns.bind(1, table);
    while (columns.executeStep()) {
      const std::string column = columns.getColumn(0).getString();
      const std::string type = columns.getColumn(1).getString();
      check_column(database, table, column, "typeof(" + column + ") NOT IN ('null', '" + type + "')",
                   "holds a value that is no " + type, visit);
    }
  }
  for (const Bounds& bounds : bounded_columns) {
    const std::string column(bounds.column);
    const std::string condition =
        column + " NOT BETWEEN " + std::to_string(bounds.least) + " AND " + std::to_string(bounds.most);
    check_column(database, std::string(bounds.table), column, condition, "holds a number out of its bounds", visit);
  }
}

}  // namespace

void check_file(SqliteConnection& connection, const FaultVisitor& visit) {
  SQLite::Database& database = connection.database();
  require_whole_pages(database);
  check_types(database, visit);
  for (const FileCheck& check : file_checks) {
    SQLite::Statement rows(database, std::string(check.statement) + " LIMIT 100");
    while (rows.executeStep())
      visit({std::string(check.type), rows.getColumn(0).getString(), std::string(check.fault),
             std::string(check.what_to_do)});
  }
}

}  // namespace orlop
