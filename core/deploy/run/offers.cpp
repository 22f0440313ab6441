#include "deploy/run/offers.h"

#include <algorithm>
#include <utility>

namespace orlop {
namespace {

constexpr Duration first_pause{1'000};
constexpr Duration longest_pause{60'000};

}  // namespace

void Offers::put_off(Step step, Instant now) {
  const auto [known, is_new] = pauses_.try_emplace(step.id, first_pause);
  if (!is_new) known->second = std::min(Duration{known->second.milliseconds * 2}, longest_pause);
  waiting_.emplace(now + known->second, std::move(step));
}

std::vector<Step> Offers::take_due(Instant now) {
  std::vector<Step> due;
  const auto end = waiting_.upper_bound(now);
  for (auto at = waiting_.begin(); at != end; ++at) due.push_back(std::move(at->second));
  waiting_.erase(waiting_.begin(), end);
  return due;
}

bool Offers::forget(const Id& step) {
  if (pauses_.erase(step) == 0) return false;
  return std::erase_if(waiting_, [&](const auto& entry) { return entry.second.id == step; }) != 0;
}

std::optional<Instant> Offers::first() const {
  return waiting_.empty() ? std::nullopt : std::optional(waiting_.begin()->first);
}

}  // namespace orlop
