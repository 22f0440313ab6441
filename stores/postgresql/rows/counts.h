// Changes of the stored counts by a group of statements: records of a family below a parent, and records of a family
// that refer to a record.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "server/connection.h"

namespace orlop::postgresql {

class CountChanges {
 public:
  void child(const orlop_id& parent, std::int32_t family, std::int64_t difference) {
    add(children_, parent, family, difference);
  }
  void referrer(const orlop_id& target, std::int32_t family, std::int64_t difference) {
    add(referrers_, target, family, difference);
  }
  // Queues the differences that are not zero, and clears all. Returns the number of statements.
  std::size_t queue(Connection& connection);

 private:
  using Key = std::pair<std::array<std::uint8_t, 16>, std::int32_t>;
  using Differences = std::map<Key, std::int64_t>;
  static void add(Differences& differences, const orlop_id& id, std::int32_t family, std::int64_t difference);
  static std::size_t queue(Connection& connection, Statement one, Statement many, Differences& differences);

  Differences children_;
  Differences referrers_;
};

}  // namespace orlop::postgresql
