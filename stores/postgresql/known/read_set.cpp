#include "known/read_set.h"

#include <utility>

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

void ReadSet::Range::add_row(const orlop_id& id, std::uint64_t revision) {
  found.append(reinterpret_cast<const char*>(id.bytes), sizeof id.bytes);
  add_number(revision, 8);
}

void ReadSet::Range::add_count(std::uint16_t counted, std::uint64_t count) {
  add_number(counted, 4);
  add_number(count, 8);
}

void ReadSet::Range::add_number(std::uint64_t number, int bytes) {
  for (int at = bytes - 1; at >= 0; --at) found += static_cast<char>(number >> (8 * at));
}

void ReadSet::add_range(Range range) {
  range_bytes_ += range.found.size();
  ranges_.push_back(std::move(range));
}

void ReadSet::leave_names_to(const orlop_changes& changes) {
  for (std::size_t at = 0; at < changes.record_count && !free_names_.empty(); ++at) {
    const orlop_record_write& write = *changes.records[at];
    if (write.has_name_key != 0) std::erase(free_names_, view_of(write.name_key));
  }
}

void ReadSet::add_free_names(Parameters& parameters) const {
  parameters.array(Type::bytes, free_names_, [](Parameters& array, const std::string& name) { array.add_bytes(name); });
}

Parameters ReadSet::rows() const {
  Parameters out;
  for (const auto* rows : {&records_, &machines_}) {
    out.array(Type::uuid, *rows, [](Parameters& array, const Row& row) { array.add_uuid(row.id); });
    out.array(Type::bigint, *rows,
              [](Parameters& array, const Row& row) { array.add_bigint(static_cast<std::int64_t>(row.revision)); });
  }
  out.array(Type::bytes, names_, [](Parameters& array, const auto& name) { array.add_bytes(name.first); });
  out.array(Type::uuid, names_, [](Parameters& array, const auto& name) { array.add_uuid_or_null(name.second); });
  out.array(Type::smallint, leases_,
            [](Parameters& array, const Lease& lease) { array.add_smallint(lease.partition); });
  out.array(Type::uuid, leases_, [](Parameters& array, const Lease& lease) { array.add_uuid_or_null(lease.holder); });
  out.array(Type::bigint, leases_, [](Parameters& array, const Lease& lease) {
    if (lease.is_there) array.add_bigint(lease.epoch);
    else array.add_null();
  });
  return out;
}

Parameters ReadSet::ranges() const {
  Parameters out;
  out.array(Type::smallint, ranges_,
            [](Parameters& array, const Range& range) { array.add_smallint(static_cast<std::int16_t>(range.kind)); });
  out.array(Type::uuid, ranges_, [](Parameters& array, const Range& range) { array.add_uuid(range.key); });
  out.array(Type::integer, ranges_, [](Parameters& array, const Range& range) { array.add_integer(range.family); });
  out.array(Type::uuid, ranges_, [](Parameters& array, const Range& range) { array.add_uuid(range.after); });
  out.array(Type::bigint, ranges_, [](Parameters& array, const Range& range) { array.add_bigint(range.limit); });
  out.array(Type::bytes, ranges_, [](Parameters& array, const Range& range) { array.add_bytes_or_null(range.found); });
  return out;
}

}  // namespace orlop::postgresql
