// Indexes of the events of one organization that have an author, of one deployment request, and about one subject.
// Consecutive events with the same key share a row, a run, with the first and the last number: a tick writes several
// events about each service, and all of its events have one request. May throw SQLite::Exception.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// The numbers are stored in the file.
enum class SqliteEventKey : std::uint8_t { organization = 1, request = 2, subject = 3 };

// Runs of the events that one transaction adds.
class SqliteEventRuns {
 public:
  explicit SqliteEventRuns(SqliteConnection& connection) : connection_(connection) {}

  // Adds the next event and its number.
  void add(const Event& event, std::uint64_t sequence);
  // Writes the remaining runs. Called after the last event.
  void write();

 private:
  struct Run {
    Id key;  // nil: no run
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  void add(SqliteEventKey by, const Id& key, std::uint64_t sequence);
  void write(SqliteEventKey by, Run& run);
  // Writes the collected rows, as a group if it is full.
  void write_rows();

  struct Row {
    std::uint64_t way = 0;
    std::int64_t key = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  SqliteConnection& connection_;
  std::array<Run, 3> runs_;
  std::array<Row, sqlite_row_group> rows_;
  std::size_t row_count_ = 0;
};

// Removes the oldest events, up to `count` and never the last one, and their runs.
void forget_events(SqliteConnection& connection, std::uint32_t count);

}  // namespace orlop
