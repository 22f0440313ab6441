// Machines of the store in memory that are active, or were active in a state that an open reader can still see. A
// machine is noted when it becomes active. If it leaves and no reader sees a state in which it was active, it is
// forgotten at once and its index is reused; the others are forgotten step by step in tidy(). Not synchronized; the
// memory store locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/id.h"

namespace orlop {

class ActiveMachines {
 public:
  // Reserves memory for `count` calls of note() and for the calls of forget() that follow.
  void make_room(std::size_t count) {
    if (noted_.capacity() < noted_.size() + count) noted_.reserve(noted_.size() * 2 + count);
    if (free_.capacity() < noted_.capacity()) free_.reserve(noted_.capacity());
  }

  // Notes a machine that is not noted. Returns its index.
  std::uint32_t note(const Id& machine) {
    ++changes_;
    if (free_.empty()) {
      noted_.push_back(machine);
      return static_cast<std::uint32_t>(noted_.size() - 1);
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    noted_[place] = machine;
    return place;
  }
  // Records that a noted machine is not active any more.
  void leave() noexcept {
    ++changes_;
    ++left_;
  }
  // Like leave(), for a machine that no reader sees active. make_room() was called since it was noted.
  void forget(std::uint32_t place) noexcept {
    ++changes_;
    noted_[place] = Id();
    if (is_looking_) {
      ++left_;
      return;
    }
    free_.push_back(place);
    if (free_.size() < noted_.size()) return;
    noted_.clear();
    free_.clear();
  }

  // Checks `looks` machines for each change since the last call, and forgets those for which `is_kept` returns false.
  // `is_kept` gets the machine, its index, and the index that it has afterwards if it is kept. Allocates nothing.
  template <typename IsKept>
  void tidy(const IsKept& is_kept) noexcept {
    std::size_t count = changes_ * looks;
    changes_ = 0;
    if (!is_looking_) {
      if (!is_worth_a_look()) return;
      kept_ = next_ = left_ = 0;
      free_.clear();
    }
    is_looking_ = true;
    for (; count > 0 && next_ < noted_.size(); --count, ++next_) {
      const Id machine = noted_[next_];
      if (machine.is_nil() || !is_kept(machine, static_cast<std::uint32_t>(next_), static_cast<std::uint32_t>(kept_)))
        continue;
      noted_[kept_++] = machine;
    }
    if (next_ < noted_.size()) return;
    noted_.erase(noted_.begin() + static_cast<std::ptrdiff_t>(kept_), noted_.end());
    look_at_ = noted_.size() * 2 + least;
    is_looking_ = false;
  }

  // Calls `act` for each noted machine, in no order; perhaps twice for a machine that was erased and created again.
  template <typename Act>
  void for_each(const Act& act) const {
    for (std::size_t at = 0; at < noted_.size(); ++at) {
      if (noted_[at].is_nil() || (is_looking_ && at >= kept_ && at < next_)) continue;
      act(noted_[at]);
    }
  }

 private:
  static constexpr std::size_t looks = 4;
  static constexpr std::size_t least = 64;

  // Reports whether many machines that readers may have seen have left, or many were noted since the last pass.
  bool is_worth_a_look() const {
    const std::size_t used = noted_.size() - free_.size();
    return used >= look_at_ || (used >= least && left_ * 2 >= used);
  }

  std::vector<Id> noted_;            // nil: a free index, or one between kept_ and next_
  std::vector<std::uint32_t> free_;  // free indices of noted_
  std::size_t changes_ = 0;          // machines noted or left since the last tidy()
  std::size_t left_ = 0;             // machines that left since the last pass over noted_ began
  std::size_t look_at_ = least;
  bool is_looking_ = false;  // a pass is under way: machines before next_ are checked, the first kept_ are kept
  std::size_t kept_ = 0;
  std::size_t next_ = 0;
};

}  // namespace orlop
