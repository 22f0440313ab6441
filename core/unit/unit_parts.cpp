// Parts of a unit: several requests or instants, one after the other.
#include "unit/unit.h"

namespace orlop {

Unit::Extent Unit::extent() const {
  const std::size_t others = rewrites_ + erased_count() + woken_.size() + posted_.size() + jobs_.size() +
                             (seldom_ == nullptr ? 0 : seldom_->questions.size()) + (awaited_.is_nil() ? 0 : 1);
  return {changes_.records.size(), changes_.machines.size(), changes_.events.size(), ids_.count(), others};
}

void Unit::end_request(const Extent& before) {
  const std::size_t added = changes_.events.size() - before.events;
  if (added != 0) changes_.events.back().id_count = ids_.count();
  ids_.go_on(added);
}

void Unit::begin_instant(Instant now) {
  end_request({.events = events_before_});
  events_before_ = changes_.events.size();
  now_ = clock_time_ = now;
  ids_.set_now(now);
}

Result<void> Unit::flush() {
  if (apply_ == nullptr || erased_count() != 0) return {};
  ORLOP_CHECK(apply_());
  changes_.records.clear();
  changes_.machines.clear();
  changes_.events.clear();
  changes_.coordination = {};
  record_places_.clear();
  machine_places_.clear();
  if (seldom_ != nullptr) {
    seldom_->names.clear();
    seldom_->new_children.clear();
    seldom_->new_machines.clear();
    seldom_->loaded_records.clear();
    seldom_->loaded_machines.clear();
    seldom_->loaded_children.clear();
  }
  woken_.clear();
  posted_.clear();
  jobs_.clear();
  return {};
}

}  // namespace orlop
