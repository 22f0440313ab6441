// What a unit does of a request in parts: many records, one after the other.
#include "ops/unit/unit.h"

namespace orlop {

Unit::Extent Unit::extent() const {
  const std::size_t others = rewrites_ + erased_.size() + woken_.size() + posted_.size() + jobs_.size() + questions_.size() + (awaited_.is_nil() ? 0 : 1);
  return {changes_.records.size(), changes_.machines.size(), changes_.events.size(), ids_.count(), others};
}

void Unit::end_request(const Extent& before) {
  const std::size_t added = changes_.events.size() - before.events;
  if (added != 0) changes_.events.back().id_count = ids_.count();
  ids_.go_on(added);
}

Result<void> Unit::flush() {
  if (apply_ == nullptr || !erased_.empty()) return {};
  ORLOP_CHECK(apply_());
  changes_.records.clear();
  changes_.machines.clear();
  changes_.events.clear();
  changes_.coordination = {};
  record_places_.clear();
  machine_places_.clear();
  names_.clear();
  new_children_.clear();
  new_machines_.clear();
  loaded_records_.clear();
  loaded_machines_.clear();
  loaded_children_.clear();
  woken_.clear();
  posted_.clear();
  jobs_.clear();
  return {};
}

}  // namespace orlop
