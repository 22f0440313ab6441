// Which machines of the store in memory are active, or were so in a state that a reader can still see. They are noted when they become active; those that are no longer so are forgotten bit
// by bit, while others come and go. Not synchronized; the memory store locks.
#pragma once

#include <cstddef>
#include <vector>

#include "base/id.h"

namespace orlop {

class ActiveMachines {
 public:
  // Before so many are noted: then that needs no memory.
  void make_room(std::size_t count) {
    if (noted_.capacity() < noted_.size() + count) noted_.reserve(noted_.size() * 2 + count);
  }

  // One that is not noted.
  void note(const Id& machine) {
    noted_.push_back(machine);
    ++changes_;
  }
  // One that is noted is active no longer.
  void leave() noexcept {
    ++changes_;
    ++left_;
  }

  // Looks at a few more for each that was noted or left since the last call, and forgets those for which `is_kept` says no. Needs no memory.
  template <typename IsKept>
  void tidy(const IsKept& is_kept) noexcept {
    std::size_t count = changes_ * looks;
    changes_ = 0;
    if (!is_looking_) {
      if (noted_.size() < look_at_ && (noted_.size() < least || left_ * 2 < noted_.size())) return;
      kept_ = next_ = left_ = 0;
    }
    is_looking_ = true;
    for (; count > 0 && next_ < noted_.size(); --count, ++next_) {
      if (is_kept(noted_[next_])) noted_[kept_++] = noted_[next_];
    }
    if (next_ < noted_.size()) return;
    noted_.erase(noted_.begin() + static_cast<std::ptrdiff_t>(kept_), noted_.end());
    look_at_ = noted_.size() * 2 + least;
    is_looking_ = false;
  }

  // Those that are noted, in no order; one that was erased and came again perhaps twice.
  template <typename Act>
  void for_each(const Act& act) const {
    for (std::size_t at = 0; at < noted_.size(); ++at) {
      if (is_looking_ && at >= kept_ && at < next_) continue;
      act(noted_[at]);
    }
  }

 private:
  static constexpr std::size_t looks = 4;
  static constexpr std::size_t least = 64;
  std::vector<Id> noted_;
  std::size_t changes_ = 0;  // how many were noted or left since tidy()
  std::size_t left_ = 0;     // how many left since the last look at all began
  std::size_t look_at_ = least;
  bool is_looking_ = false;   // if so, those up to next_ were looked at, and the first kept_ are what is left of them
  std::size_t kept_ = 0;
  std::size_t next_ = 0;
};

}  // namespace orlop
