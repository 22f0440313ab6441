// The statements of the SQLite store, by name.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orlop {

enum class SqliteQuery : std::uint8_t {
#define ORLOP_QUERY(name, text) name,
#include "store/sqlite/queries.def"
#undef ORLOP_QUERY
};

inline constexpr std::size_t query_count = 0
#define ORLOP_QUERY(name, text) +1
#include "store/sqlite/queries.def"
#undef ORLOP_QUERY
    ;

// Number of rows that insert_events and insert_event_runs take.
inline constexpr std::size_t sqlite_row_group = 16;

// Returns the statement's text, in static storage.
const char* text_of(SqliteQuery query);

}  // namespace orlop
