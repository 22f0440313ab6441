// Stored counts of a SQLite file: the number of records of each family that refer to a record, or lie below it. May
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

// Changes of the counts by one apply(). Each count is written once, for any number of changes.
class SqliteCountChanges {
 public:
  // `difference`: 1 or -1. Only counted families have counts below a parent.
  void child(std::int64_t parent, FamilyNumber family, std::int64_t difference);
  void referrer(std::int64_t target, FamilyNumber family, std::int64_t difference);
  void write(SqliteConnection& connection) const;

 private:
  std::map<std::tuple<RecordRange::By, std::int64_t, FamilyNumber>, std::int64_t> differences_;
};

std::vector<RecordCount> read_counts(SqliteConnection& connection, const CountRange& range);

// Recounts the records of the family below each parent, or removes their counts. In the open transaction; reads all
// children of the family.
void recount_children(SqliteConnection& connection, FamilyNumber family, bool is_counted);

}  // namespace orlop
