#include "counts.h"

#include <cstring>

namespace orlop::postgresql {

void CountChanges::add(Differences& differences, const orlop_id& id, std::int32_t family, std::int64_t difference) {
  Key key{{}, family};
  std::memcpy(key.first.data(), id.bytes, sizeof id.bytes);
  differences[key] += difference;
}

std::size_t CountChanges::queue(Connection& connection, Statement statement, Differences& differences) {
  std::erase_if(differences, [](const auto& entry) { return entry.second == 0; });
  if (differences.empty()) return 0;
  Parameters parameters;
  parameters.array(Type::uuid, differences, [](Parameters& array, const auto& entry) {
    orlop_id id{};
    std::memcpy(id.bytes, entry.first.first.data(), sizeof id.bytes);
    array.add_uuid(id);
  });
  parameters.array(Type::integer, differences, [](Parameters& array, const auto& entry) { array.add_integer(entry.first.second); });
  parameters.array(Type::bigint, differences, [](Parameters& array, const auto& entry) { array.add_bigint(entry.second); });
  connection.queue(statement, std::move(parameters));
  differences.clear();
  return 1;
}

std::size_t CountChanges::queue(Connection& connection) {
  return queue(connection, Statement::count_children, children_) + queue(connection, Statement::count_referrers, referrers_);
}

}  // namespace orlop::postgresql
