// The records and machines that the writers of this process have read or written last. Writers of all processes wait for each other, so that a row stays what it was as
// long as no other process has committed: ReadCache decides when that is.
//
// Used by the writer whose turn it is, by no other thread.
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

namespace orlop::postgresql {

// A row with the texts that its members point to.
struct KeptRecord {
  orlop_record record{};
  std::unique_ptr<char[]> texts;
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
  // nullptr: it is not known, or not there. What is returned outlives the row in the cache.
  std::shared_ptr<const KeptRecord> record(const orlop_id& id) const;
  std::shared_ptr<const KeptMachine> machine(const orlop_id& id) const;
  // The machines of an owner, all or those of a family, in ascending order of id, if all of them are known.
  bool machines_of(const orlop_id& owner, std::uint16_t family, std::vector<std::shared_ptr<const KeptMachine>>& machines) const;

  // What the store holds.
  void keep(const orlop_record& record);
  void keep(const orlop_machine& machine);
  // These are all machines of the owner, or all those of a family, in ascending order of id. Does nothing if one of them was not kept.
  void keep_list(const orlop_id& owner, std::uint16_t family, std::vector<orlop_id> ids);

  // Changes that were sent; commit() makes them what the store holds, forget_changes() does not.
  void change(const orlop_changes& changes);
  void commit();
  void forget_changes();
  void clear();

 private:
  struct Less {
    bool operator()(const orlop_id& a, const orlop_id& b) const { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) < 0; }
  };
  struct Hash {
    std::size_t operator()(const orlop_id& id) const;
  };
  struct Equal {
    bool operator()(const orlop_id& a, const orlop_id& b) const { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0; }
  };
  using Owned = std::map<std::uint16_t, std::vector<orlop_id>>;  // by family; 0: all

  template <typename Kept>
  using Rows = std::unordered_map<orlop_id, std::shared_ptr<const Kept>, Hash, Equal>;

  template <typename Kept>
  void put(Rows<Kept>& rows, const orlop_id& id, Kept row);
  void keep(KeptRecord row);
  void keep(KeptMachine row);
  void erase_record(const orlop_id& id);
  void erase_machine(const orlop_id& id);
  void write(KeptMachine row);

  // What a list names is kept, with that owner and family.
  Rows<KeptRecord> records_;
  Rows<KeptMachine> machines_;
  std::unordered_map<orlop_id, Owned, Hash, Equal> lists_;
  std::size_t bytes_ = 0;  // of all; of lists that are gone too, until clear()
  struct Change {
    std::vector<orlop_id> erasures;
    std::vector<KeptRecord> records;
    std::vector<KeptMachine> machines;
  };
  std::vector<Change> changes_;
  bool has_lost_changes_ = false;  // one that cannot be followed: nothing is known after it
};

}  // namespace orlop::postgresql
