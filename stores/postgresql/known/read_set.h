// The reads of an optimistic writer. Of each answer it keeps the data that decides whether the store would give the
// same answer again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orlop/storage.h"
#include "server/values.h"

namespace orlop::postgresql {

class ReadSet {
 public:
  // Revision 0: the row does not exist.
  void add_record(const orlop_id& id, std::uint64_t revision) { records_.push_back({id, revision}); }
  void add_machine(const orlop_id& id, std::uint64_t revision) { machines_.push_back({id, revision}); }
  // Nil id: no record has the key.
  void add_name(orlop_text key, const orlop_id& id) { names_.emplace_back(view_of(key), id); }
  // Adds a name that was assumed to be free without a query.
  void add_free_name(orlop_text key) {
    add_name(key, {});
    free_names_.emplace_back(view_of(key));
  }
  // Adds the rows of the statement `leases`; a partition without a row was never held.
  void add_leases(std::uint64_t partitions, const Rows& rows);

  // A read of several rows: its parameters and its result, in the form that `validate_ranges` builds.
  struct Range {
    enum class Kind : std::uint8_t {
      children,
      children_of_family,
      referrers,
      machines,
      child_counts,
      referrer_counts,
      links
    };
    Kind kind;
    orlop_id key;
    std::int32_t family = 0;
    orlop_id after = {};
    std::int64_t limit = 0;
    std::string found = {};

    // For records and machines.
    void add_row(std::string_view id, std::string_view revision) { found.append(id).append(revision); }
    void add_row(const orlop_id& id, std::uint64_t revision);
    void add_count(std::uint16_t counted, std::uint64_t count);  // in ascending order of family

   private:
    void add_number(std::uint64_t number, int bytes);
  };
  void add_range(Range range);

  bool empty() const {
    return records_.empty() && machines_.empty() && names_.empty() && leases_.empty() && ranges_.empty();
  }
  // Reports whether more ranges should be noted: they are read a second time, while all writers wait.
  bool has_room() const { return range_bytes_ < range_bytes_max; }
  // Removes free names that the changes themselves take: the server refuses to give a name twice.
  void leave_names_to(const orlop_changes& changes);
  bool has_free_names() const { return !free_names_.empty(); }
  // Adds the third parameter of the statements `validate_mark` and `insert_validated_mark`.
  void add_free_names(Parameters& parameters) const;
  // Returns the first parameters of the statement `validate`.
  Parameters rows() const;
  bool has_ranges() const { return !ranges_.empty(); }
  // Returns the parameters of `validate_ranges`.
  Parameters ranges() const;

 private:
  static constexpr std::size_t range_bytes_max = 64 << 10;

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
  std::vector<std::string> free_names_;
  std::vector<Lease> leases_;
  std::vector<Range> ranges_;
  std::size_t range_bytes_ = 0;
};

}  // namespace orlop::postgresql
