// Records and machines that the writers of this process have last read or written. Writers of all processes exclude
// each other, so a row stays valid as long as no other process has committed: ReadCache decides that.
//
// Used only by the writer whose turn it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orlop/storage.h"
#include "server/values.h"

namespace orlop::postgresql {

// A row with the texts that its members point to.
struct KeptRecord {
  orlop_record record{};
  std::unique_ptr<char[]> texts;
  bool has_text = true;  // false: it was read without its texts
};
struct KeptEvent {
  orlop_event event{};
  std::unique_ptr<char[]> texts;
};
std::shared_ptr<const KeptEvent> copy_of(const orlop_event& event);
struct KeptMachine {
  orlop_machine machine{};
  std::unique_ptr<char[]> texts;
  std::vector<orlop_phase> phases;
};

class RowCache {
 public:
  // Returns null if the row is not cached. The result outlives the row in the cache.
  std::shared_ptr<const KeptRecord> record(const orlop_id& id) const;
  std::shared_ptr<const KeptMachine> machine(const orlop_id& id) const { return find(machines_, id); }
  // Like record(), also if it was read without its texts; valid until the next call.
  const orlop_record* row(const orlop_id& id) const;
  // A page of the records below a parent or of the machines of an owner, of all families or of one: the first `most`
  // after `after`, in ascending order of id. list() returns false if the list is not completely cached.
  struct Page {
    orlop_id owner;
    std::uint16_t family = 0;
    orlop_id after = {};
    std::uint64_t most = UINT64_MAX;
  };
  bool list(const Page& page, bool with_text, std::vector<std::shared_ptr<const KeptRecord>>& records) const;
  bool list(const Page& page, std::vector<std::shared_ptr<const KeptMachine>>& machines) const {
    return list(machines_, page, machines);
  }
  // Returns the number of records of each family below the parent; null if it is not cached.
  using Counts = std::map<std::uint16_t, std::uint64_t>;
  const Counts* counts(const orlop_id& parent) const;

  // Adds rows that the store holds.
  void keep(const orlop_record& record, bool has_text);
  void keep(const orlop_machine& machine);
  // Adds the complete list of the records below a parent, or of the machines of an owner, of all families or of one, in
  // ascending order of id. Does nothing if one of them is not cached.
  void keep_records(const orlop_id& parent, std::uint16_t family, std::vector<orlop_id> ids) {
    keep_list(records_, parent, family, std::move(ids));
  }
  void keep_machines(const orlop_id& owner, std::uint16_t family, std::vector<orlop_id> ids) {
    keep_list(machines_, owner, family, std::move(ids));
  }
  void keep_counts(const orlop_id& parent, Counts counts);

  // change() notes changes that were sent; commit() applies them to the cache, forget_changes() drops them.
  void change(const orlop_changes& changes);
  void commit();
  void forget_changes();
  void clear();

 private:
  struct Less {
    bool operator()(const orlop_id& a, const orlop_id& b) const { return is_less(a, b); }
  };
  struct Hash {
    std::size_t operator()(const orlop_id& id) const noexcept {
      std::uint64_t halves[2];
      std::memcpy(halves, id.bytes, sizeof halves);
      return static_cast<std::size_t>((halves[0] ^ halves[1] * 0x9E37'79B9'7F4A'7C15U) * 0xBF58'476D'1CE4'E5B9U);
    }
  };
  struct Equal {
    bool operator()(const orlop_id& a, const orlop_id& b) const { return same(a, b); }
  };
  using Owned = std::map<std::uint16_t, std::vector<orlop_id>>;  // by family; 0: all families

  // Rows in a list are cached, with that owner (of a record: its parent) and family.
  template <typename Kept>
  struct Table {
    std::unordered_map<orlop_id, std::shared_ptr<const Kept>, Hash, Equal> rows;
    std::unordered_map<orlop_id, Owned, Hash, Equal> lists;
  };

  template <typename Kept>
  std::shared_ptr<const Kept> find(const Table<Kept>& table, const orlop_id& id) const;
  template <typename Kept>
  bool list(const Table<Kept>& table, const Page& page, std::vector<std::shared_ptr<const Kept>>& rows) const;
  template <typename Kept>
  void keep_list(Table<Kept>& table, const orlop_id& owner, std::uint16_t family, std::vector<orlop_id> ids);
  bool make_room(std::size_t size);
  template <typename Kept>
  void put(Table<Kept>& table, Kept row);
  template <typename Kept>
  void forget(Table<Kept>& table, const orlop_id& id);
  template <typename Kept>
  void erase(Table<Kept>& table, const orlop_id& id);
  template <typename Kept, typename Row>
  void drop_lists(Table<Kept>& table, const Row& row);
  template <typename Kept, typename Row, typename Each>
  void for_each_list(Table<Kept>& table, const Row& row, const Each& each);
  template <typename Kept>
  void write(Table<Kept>& table, Kept row);
  void count(const orlop_id& parent, std::uint16_t family, int difference);
  void count(const orlop_record& record);
  void count_erased(const orlop_id& id);

  Table<KeptRecord> records_;
  Table<KeptMachine> machines_;
  std::unordered_map<orlop_id, Counts, Hash, Equal> counts_;
  std::size_t bytes_ = 0;  // of all entries; includes dropped lists until clear()
  struct Change {
    std::vector<orlop_id> erasures;
    std::vector<KeptRecord> records;
    std::vector<KeptMachine> machines;
  };
  std::vector<Change> changes_;
  bool has_lost_changes_ = false;  // a change could not be noted: the next commit clears the cache
};

}  // namespace orlop::postgresql
