#include "read_set.h"

namespace orlop::postgresql {

void ReadSet::add_leases(std::uint64_t partitions, const Rows& rows) {
  int row = 0;
  for (std::uint8_t partition = 0; partition < 64; ++partition) {
    if ((partitions >> partition & 1) == 0) continue;
    const bool is_there = row < rows.count() && rows.smallint(row, 0) == partition;
    if (is_there) leases_.push_back({partition, rows.uuid(row, 1), rows.bigint(row, 2), true});
    else leases_.push_back({partition, {}, 0, false});
    row += is_there ? 1 : 0;
  }
}

Parameters ReadSet::parameters() const {
  Parameters out;
  for (const auto* rows : {&records_, &machines_}) {
    out.array(Type::uuid, *rows, [](Parameters& array, const Row& row) { array.add_uuid(row.id); });
    out.array(Type::bigint, *rows, [](Parameters& array, const Row& row) { array.add_bigint(static_cast<std::int64_t>(row.revision)); });
  }
  out.array(Type::bytes, names_, [](Parameters& array, const auto& name) { array.add_bytes(name.first); });
  out.array(Type::uuid, names_, [](Parameters& array, const auto& name) { array.add_uuid_or_null(name.second); });
  out.array(Type::smallint, leases_, [](Parameters& array, const Lease& lease) { array.add_smallint(lease.partition); });
  out.array(Type::uuid, leases_, [](Parameters& array, const Lease& lease) { array.add_uuid_or_null(lease.holder); });
  out.array(Type::bigint, leases_, [](Parameters& array, const Lease& lease) {
    if (lease.is_there) array.add_bigint(lease.epoch);
    else array.add_null();
  });
  return out;
}

}  // namespace orlop::postgresql
