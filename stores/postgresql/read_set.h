// What an optimistic writer has read: so much of each answer as tells whether the store would give it again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orlop/storage.h"
#include "values.h"

namespace orlop::postgresql {

class ReadSet {
 public:
  // Revision 0: there is no such row.
  void add_record(const orlop_id& id, std::uint64_t revision) { records_.push_back({id, revision}); }
  void add_machine(const orlop_id& id, std::uint64_t revision) { machines_.push_back({id, revision}); }
  // A nil id: no record has the key.
  void add_name(orlop_text key, const orlop_id& id) { names_.emplace_back(view_of(key), id); }
  // The rows of the statement `leases`; a partition without a row was never held.
  void add_leases(std::uint64_t partitions, const Rows& rows);

  bool empty() const { return records_.empty() && machines_.empty() && names_.empty() && leases_.empty(); }
  // The first parameters of the statement `validate`.
  Parameters parameters() const;

 private:
  struct Row {
    orlop_id id;
    std::uint64_t revision;
  };
  struct Lease {
    std::uint8_t partition;
    orlop_id holder;
    std::int64_t epoch;
    bool is_there;
  };

  std::vector<Row> records_;
  std::vector<Row> machines_;
  std::vector<std::pair<std::string, orlop_id>> names_;
  std::vector<Lease> leases_;
};

}  // namespace orlop::postgresql
