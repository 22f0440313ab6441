#include "sim/requests/lifetimes.h"

#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"

namespace orlop {

bool Lifetimes::has(const Id& environment) const {
  const std::lock_guard lock(mutex_);
  return ends_.contains(environment);
}

void Lifetimes::add(const Id& environment, Instant end) {
  const std::lock_guard lock(mutex_);
  if (ends_.emplace(environment, end).second) order_.emplace(end, environment);
  note_any();
}

void Lifetimes::remove(const Id& environment) {
  const std::lock_guard lock(mutex_);
  const auto found = ends_.find(environment);
  if (found == ends_.end()) return;
  order_.erase({found->second, environment});
  ends_.erase(found);
  note_any();
}

std::vector<Id> Lifetimes::take_ended(Instant now) {
  std::vector<Id> ended;
  if (!has_any_) return ended;
  const std::lock_guard lock(mutex_);
  while (!order_.empty() && order_.begin()->first <= now) {
    ended.push_back(order_.begin()->second);
    ends_.erase(ended.back());
    order_.erase(order_.begin());
  }
  note_any();
  return ended;
}

bool Lifetimes::is_empty() const {
  const std::lock_guard lock(mutex_);
  return ends_.empty();
}

std::optional<Instant> Lifetimes::due() const {
  if (!has_any_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
}

Lifetimes::Memory Lifetimes::memory() const {
  const std::lock_guard lock(mutex_);
  return ends_;
}

void Lifetimes::go_back(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  ends_ = memory;
  order_.clear();
  for (const auto& [environment, end] : ends_) order_.emplace(end, environment);
  note_any();
}

void Lifetimes::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_list();
  for (const auto& [environment, end] : ends_)
    out.begin_object().field("environment", environment).field("ends", end).end_object();
  out.end_list();
}

Result<void> Lifetimes::restore(const Value& given) {
  Memory ends;
  if (!given.is_list())
    return invalid_member("lifetimes", "must be a list of {\"environment\", \"ends\"}, not " + shown(given));
  for (const Value& item : given.items()) {
    const auto environment = parse_id(item.text_or("environment", ""));
    const auto end = parse_instant(item.text_or("ends", ""));
    if (!environment || !end)
      return invalid_member("lifetimes", "must be a list of {\"environment\", \"ends\"}, not " + shown(given));
    ends.emplace(*environment, *end);
  }
  go_back(ends);
  return {};
}

}  // namespace orlop
