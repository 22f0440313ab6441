#include "store/sqlite/rows/count_rows.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "model/registry.h"
#include "store/sqlite/read_rows.h"

namespace orlop {
namespace {

// Number of rows of other keys to skip before the statement searches again.
constexpr std::size_t skipped_max = 8;

using Keys = std::vector<std::pair<std::int64_t, Id>>;

// Walks over the table from key to key: rows of a list are close to each other.
std::vector<RecordCount> kept_counts(SqliteConnection& connection, SqliteQuery query, const Keys& keys,
                                     FamilyNumber family) {
  std::vector<RecordCount> counts;
  auto key = keys.begin();
  while (key != keys.end()) {
    StatementRun run = connection.run(query);
    run.integer(key->first);
    std::size_t skipped = 0;
    bool is_over = false;
    while (key != keys.end() && skipped <= skipped_max) {
      is_over = !run.step();
      if (is_over) break;
      const std::int64_t number = run.integer_at(0);
      while (key != keys.end() && key->first < number) ++key;
      if (key == keys.end()) break;
      if (key->first != number) {
        ++skipped;
        continue;
      }
      const auto found = static_cast<FamilyNumber>(run.integer_at(1));
      if (family == 0 || family == found)
        counts.push_back({key->second, found, static_cast<std::uint64_t>(run.integer_at(2))});
    }
    if (is_over) break;
  }
  return counts;
}

// Counts children by one index range per key.
std::vector<RecordCount> counted_children(SqliteConnection& connection, const Keys& keys, FamilyNumber family) {
  std::vector<RecordCount> counts;
  for (const auto& [number, id] : keys) {
    StatementRun run = connection.run(SqliteQuery::children_families);
    run.integer(number);
    while (run.step()) {
      const auto found = static_cast<FamilyNumber>(run.integer_at(0));
      if (family == 0 || family == found) counts.push_back({id, found, static_cast<std::uint64_t>(run.integer_at(1))});
    }
  }
  return counts;
}

// Counts children of each family up to `enough`.
std::vector<RecordCount> children_up_to(SqliteConnection& connection, const Keys& keys, FamilyNumber wanted,
                                        std::uint64_t enough) {
  const Id before_all;  // must live as long as it is bound
  std::vector<RecordCount> counts;
  for (const auto& [number, id] : keys) {
    for (auto family = next_child_family(connection, number, 0); family;
         family = next_child_family(connection, number, *family)) {
      if (wanted != 0 && wanted != *family) continue;
      StatementRun run = connection.run(SqliteQuery::children_numbers);
      run.integer(number).integer(*family).id(before_all).bounded(enough);
      std::uint64_t count = 0;
      while (run.step()) ++count;
      if (count != 0) counts.push_back({id, static_cast<FamilyNumber>(*family), count});
    }
  }
  return counts;
}

}  // namespace

void SqliteCountChanges::child(std::int64_t parent, FamilyNumber family, std::int64_t difference) {
  if (is_counted(family)) differences_[{RecordRange::By::parent, parent, family}] += difference;
}

void SqliteCountChanges::referrer(std::int64_t target, FamilyNumber family, std::int64_t difference) {
  differences_[{RecordRange::By::reference, target, family}] += difference;
}

void SqliteCountChanges::write(SqliteConnection& connection) const {
  for (const auto& [place, difference] : differences_) {
    const auto [by, key, family] = place;
    const bool is_parent = by == RecordRange::By::parent;
    if (difference > 0) {
      const SqliteQuery more = is_parent ? SqliteQuery::more_children : SqliteQuery::more_referrers;
      connection.run(more).integer(key).integer(family).integer(difference).change();
    } else if (difference < 0) {
      const SqliteQuery fewer = is_parent ? SqliteQuery::fewer_children : SqliteQuery::fewer_referrers;
      if (connection.run(fewer).integer(key).integer(family).integer(difference).change() != 0) continue;
      const SqliteQuery none = is_parent ? SqliteQuery::no_children : SqliteQuery::no_referrers;
      connection.run(none).integer(key).integer(family).change();
    }
  }
}

std::vector<RecordCount> read_counts(SqliteConnection& connection, const CountRange& range) {
  Keys keys;
  keys.reserve(range.keys.size());
  for (const Id& id : range.keys) {
    if (const auto number = connection.identities().number_of(connection, id)) keys.emplace_back(*number, id);
  }
  std::ranges::sort(keys, {}, &Keys::value_type::first);
  if (range.by == RecordRange::By::reference)
    return kept_counts(connection, SqliteQuery::referrer_counts, keys, range.family);
  if (is_counted(range.family)) return kept_counts(connection, SqliteQuery::child_counts, keys, range.family);
  if (range.enough != UINT64_MAX) return children_up_to(connection, keys, range.family, range.enough);
  return counted_children(connection, keys, range.family);
}

void recount_children(SqliteConnection& connection, FamilyNumber family, bool is_counted) {
  const std::string number = std::to_string(family);
  SQLite::Database& database = connection.database();
  database.exec("DELETE FROM child_count WHERE family = " + number);
  if (is_counted)
    database.exec("INSERT INTO child_count SELECT parent, family, count(*) FROM child WHERE family = " + number +
                  " GROUP BY parent");
}

}  // namespace orlop
