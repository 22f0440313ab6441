#include "deploy/run/steps/uncommitted_steps.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace orlop {

bool UncommittedSteps::begin(Instant now) {
  if (left_until_ < now) left_behind_.clear();
  tick_.at = now;
  return std::exchange(tick_.is_whole, false);
}

void UncommittedSteps::begin_shared(Instant now) {
  shared_.emplace_back();  // first: memory may run out
  std::swap(shared_.back(), tick_);
  tick_.at = now;
}

// Keeps the memory of the lists for the next tick.
void UncommittedSteps::committed() {
  tick_.is_whole = false;
  tick_.held.clear();
  tick_.polled.clear();
  tick_.started.clear();
  tick_.said.clear();
  shared_.clear();
}

void UncommittedSteps::forget() {
  tick_ = {};
  shared_.clear();
  later_.clear();
  left_behind_.clear();
}

// If reports are missing, the driver is asked for all steps; those that it may have are resumed when they are decided
// again.
void UncommittedSteps::repeat(UncommittedSteps& failed) {
  std::vector<Heard> all;
  all.reserve(failed.shared_.size() + 1 + failed.later_.size());
  const bool is_whole = failed.tick_.is_whole && std::ranges::all_of(failed.shared_, &Heard::is_whole) &&
                        std::ranges::all_of(failed.later_, &Heard::is_whole);
  std::vector<Id> known = failed.left_behind_;
  const auto add = [&known](const Heard& of) { known.insert(known.end(), of.started.begin(), of.started.end()); };
  if (!is_whole) {
    std::ranges::for_each(failed.shared_, add);
    add(failed.tick_);
    std::ranges::for_each(failed.later_, add);
  }
  std::ranges::move(failed.shared_, std::back_inserter(all));
  all.push_back(std::move(failed.tick_));
  std::ranges::move(failed.later_, std::back_inserter(all));
  left_behind_ = std::move(known);
  left_until_ = std::max(failed.left_until_, all.back().at);
  tick_ = std::move(all.front());
  tick_.is_whole = is_whole;
  all.erase(all.begin());
  if (is_whole) later_ = std::move(all);
}

bool UncommittedSteps::take_pending(Instant now) {
  if (later_.empty() || later_.front().at > now) return false;
  tick_ = std::move(later_.front());
  later_.erase(later_.begin());
  return true;
}

bool UncommittedSteps::may_be_known(const Id& step) const {
  return std::ranges::find(left_behind_, step) != left_behind_.end();
}

}  // namespace orlop
