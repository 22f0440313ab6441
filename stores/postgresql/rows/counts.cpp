#include "rows/counts.h"

#include <array>
#include <cstring>

namespace orlop::postgresql {

void CountChanges::add(Differences& differences, const orlop_id& id, std::int32_t family, std::int64_t difference) {
  Key key{{}, family};
  std::memcpy(key.first.data(), id.bytes, sizeof id.bytes);
  differences[key] += difference;
}

namespace {

orlop_id id_of(const std::array<std::uint8_t, 16>& bytes) {
  orlop_id id{};
  std::memcpy(id.bytes, bytes.data(), sizeof id.bytes);
  return id;
}

}  // namespace

std::size_t CountChanges::queue(Connection& connection, Statement one, Statement many, Differences& differences) {
  std::erase_if(differences, [](const auto& entry) { return entry.second == 0; });
  if (differences.empty()) return 0;
  Parameters parameters;
  if (differences.size() == 1) {
    const auto& [key, difference] = *differences.begin();
    parameters.uuid(id_of(key.first)).integer(key.second).bigint(difference);
  } else {
    parameters.array(Type::uuid, differences,
                     [](Parameters& array, const auto& entry) { array.add_uuid(id_of(entry.first.first)); });
    parameters.array(Type::integer, differences,
                     [](Parameters& array, const auto& entry) { array.add_integer(entry.first.second); });
    parameters.array(Type::bigint, differences,
                     [](Parameters& array, const auto& entry) { array.add_bigint(entry.second); });
  }
  connection.queue(differences.size() == 1 ? one : many, std::move(parameters));
  differences.clear();
  return 1;
}

std::size_t CountChanges::queue(Connection& connection) {
  return queue(connection, Statement::count_child, Statement::count_children, children_) +
         queue(connection, Statement::count_referrer, Statement::count_referrers, referrers_);
}

}  // namespace orlop::postgresql
