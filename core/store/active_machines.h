// Which machines of the store in memory are active, or were so in a state that a reader can still see. They are noted
// when they become active. One that leaves while no reader sees what it was is forgotten at once, and its place is
// given to the next one; the others are forgotten bit by bit, while machines come and go. Not synchronized; the memory
// store locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/id.h"

namespace orlop {

class ActiveMachines {
 public:
  // Before so many are noted: then that needs no memory, nor does what follows.
  void make_room(std::size_t count) {
    if (noted_.capacity() < noted_.size() + count) noted_.reserve(noted_.size() * 2 + count);
    if (free_.capacity() < noted_.capacity()) free_.reserve(noted_.capacity());
  }

  // One that is not noted. Answers its place.
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
  // One that is noted is active no longer.
  void leave() noexcept {
    ++changes_;
    ++left_;
  }
  // The same, and no reader sees a state in which it was active. make_room() was called since it was noted.
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

  // Looks at a few more for each that was noted or left since the last call, and forgets those for which `is_kept` says
  // no. It gets the place that the machine has, and that which it has afterwards if it is kept. Needs no memory.
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

  // Those that are noted, in no order; one that was erased and came again perhaps twice.
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

  // Many have left that readers may have seen, or came since the last look.
  bool is_worth_a_look() const {
    const std::size_t used = noted_.size() - free_.size();
    return used >= look_at_ || (used >= least && left_ * 2 >= used);
  }

  std::vector<Id> noted_;            // nil: a place that is free, or that a look has not come to
  std::vector<std::uint32_t> free_;  // places
  std::size_t changes_ = 0;          // how many were noted or left since tidy()
  std::size_t left_ = 0;             // how many left since the last look at all began
  std::size_t look_at_ = least;
  bool is_looking_ = false;  // if so, those up to next_ were looked at, and the first kept_ are what is left of them
  std::size_t kept_ = 0;
  std::size_t next_ = 0;
};

}  // namespace orlop
