#include "store/sqlite/rows/event_runs.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "store/sqlite/read_rows.h"

namespace orlop {
namespace {

constexpr std::array event_keys = {SqliteEventKey::organization, SqliteEventKey::request, SqliteEventKey::subject};

std::size_t place_of(SqliteEventKey by) { return static_cast<std::size_t>(by) - 1; }

// Consecutive events with the same key, in one run or in several.
struct Stretch {
  std::int64_t key = 0;  // 0: none
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// `end`: the first event that stays. A run that extends beyond it is cut.
void erase_runs(SqliteConnection& connection, SqliteEventKey by, const Stretch& stretch, std::uint64_t end) {
  if (stretch.key == 0) return;
  const auto way = static_cast<std::uint64_t>(by);
  if (stretch.last + 1 == end) {
    connection.run(SqliteQuery::cut_event_run)
        .number(way)
        .integer(stretch.key)
        .number(stretch.first)
        .number(stretch.last)
        .change();
  }
  connection.run(SqliteQuery::erase_event_runs)
      .number(way)
      .integer(stretch.key)
      .number(stretch.first)
      .number(stretch.last)
      .change();
}

// Returns the first event that stays; 0 if there are no events.
std::uint64_t end_of_forgotten(SqliteConnection& connection, std::uint32_t count) {
  StatementRun run = connection.run(SqliteQuery::first_event);
  return run.step()
             ? std::min(static_cast<std::uint64_t>(run.integer_at(0)) + count, read_feed_end(connection).sequence)
             : 0;
}

}  // namespace

void SqliteEventRuns::add(const Event& event, std::uint64_t sequence) {
  add(SqliteEventKey::organization, event.author.empty() ? Id() : event.organization, sequence);
  add(SqliteEventKey::request, event.request, sequence);
  add(SqliteEventKey::subject, event.subject, sequence);
}

void SqliteEventRuns::add(SqliteEventKey by, const Id& key, std::uint64_t sequence) {
  Run& run = runs_[place_of(by)];
  if (run.key != key) {
    write(by, run);
    run = {key, sequence, sequence};
  }
  run.last = sequence;
}

void SqliteEventRuns::write(SqliteEventKey by, Run& run) {
  if (run.key.is_nil()) return;
  const std::int64_t key = connection_.identities().make_number(connection_, run.key);
  rows_[row_count_++] = {static_cast<std::uint64_t>(by), key, run.first, run.last};
  run = {};
  if (row_count_ == rows_.size()) write_rows();
}

void SqliteEventRuns::write_rows() {
  const auto bind = [](StatementRun& run, const Row& row) {
    run.number(row.way).integer(row.key).number(row.first).number(row.last);
  };
  const std::span<const Row> rows(rows_.data(), std::exchange(row_count_, 0));
  if (rows.size() == rows_.size()) {
    StatementRun run = connection_.run(SqliteQuery::insert_event_runs);
    for (const Row& row : rows) bind(run, row);
    run.change();
    return;
  }
  for (const Row& row : rows) {
    StatementRun run = connection_.run(SqliteQuery::insert_event_run);
    bind(run, row);
    run.change();
  }
}

void SqliteEventRuns::write() {
  for (const SqliteEventKey by : event_keys) write(by, runs_[place_of(by)]);
  write_rows();
}

void forget_events(SqliteConnection& connection, std::uint32_t count) {
  const std::uint64_t end = end_of_forgotten(connection, count);
  std::array<Stretch, event_keys.size()> stretches;
  {
    StatementRun events = connection.run(SqliteQuery::event_keys_before);
    events.number(end);
    while (events.step()) {
      const auto sequence = static_cast<std::uint64_t>(events.integer_at(0));
      for (const SqliteEventKey by : event_keys) {
        Stretch& stretch = stretches[place_of(by)];
        const std::int64_t key = events.integer_at(static_cast<int>(by));
        if (stretch.key != key) {
          erase_runs(connection, by, stretch, end);
          stretch = {key, sequence, sequence};
        }
        stretch.last = sequence;
      }
    }
  }
  for (const SqliteEventKey by : event_keys) erase_runs(connection, by, stretches[place_of(by)], end);
  connection.run(SqliteQuery::erase_events_before).number(end).change();
}

}  // namespace orlop
