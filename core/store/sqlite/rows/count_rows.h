// The kept counts of a SQLite file: how many records of each family refer to a record, and how many lie below it. May
// throw SQLite::Exception.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "base/family_number.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// What the changes of one apply() do to the counts. Each count is written once, however many records change it.
class SqliteCountChanges {
 public:
  // `difference`: 1 or -1. Only families that are counted have counts below a parent.
  void child(std::int64_t parent, FamilyNumber family, std::int64_t difference);
  void referrer(std::int64_t target, FamilyNumber family, std::int64_t difference);
  void write(SqliteConnection& connection) const;

 private:
  std::map<std::tuple<RecordRange::By, std::int64_t, FamilyNumber>, std::int64_t> differences_;
};

std::vector<RecordCount> read_counts(SqliteConnection& connection, const CountRange& range);

// Counts the records of the family below each parent anew, or forgets their numbers. In the open transaction; reads all
// children there are.
void recount_children(SqliteConnection& connection, FamilyNumber family, bool is_counted);

}  // namespace orlop
