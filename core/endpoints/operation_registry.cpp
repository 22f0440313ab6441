#include "endpoints/operation_registry.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "model/registry.h"

namespace orlop {
namespace {

using CreatedHook = decltype(OperationSet::created);

std::unordered_map<const Family*, std::vector<CreatedHook>> make_hooks() {
  std::unordered_map<const Family*, std::vector<CreatedHook>> hooks;
  for (const Family* family : all_families()) {
    for (const OperationSet* set : all_operation_sets()) {
      if (set->created != nullptr && set->serves(*family)) hooks[family].push_back(set->created);
    }
  }
  return hooks;
}

bool replaces(const OperationSet& set, const ReplacedVerb& replaced, const Family& family, Verb verb) {
  return replaced.verb == verb && set.serves(family) && replaced.only.fits(family);
}

}  // namespace

std::vector<Operation> operations_of(const OperationSet& set, const Family& family) {
  std::vector<Operation> operations(set.operations.begin(), set.operations.end());
  const ServiceKindNames* names = names_of_kind(family);
  for (const KindOperation& entry : set.operations_by_kind) {
    if (names != nullptr && is_one_of(entry.kinds, names->kind)) operations.push_back(entry.operation);
  }
  return operations;
}

const ReplacedVerb* replacement_of(const Family& family, Verb verb) {
  for (const OperationSet* set : all_operation_sets()) {
    for (const ReplacedVerb& replaced : set->replaced) {
      if (replaces(*set, replaced, family, verb)) return &replaced;
    }
  }
  return nullptr;
}

Result<void> after_create(Unit& unit, const Creation& creation) {
  static const auto hooks = make_hooks();
  const auto found = hooks.find(&creation.family);
  if (found == hooks.end()) return {};
  for (const CreatedHook hook : found->second) ORLOP_CHECK(hook(unit, creation));
  return {};
}

Result<void> after_create(Unit& unit, const Family& family, const Record& record, std::uint32_t plan_flags) {
  return after_create(unit, {.family = family, .record = record, .plan_flags = plan_flags});
}

namespace {

// Returns the set of a schedule; null if the library does not know the family of the machine.
const OperationSet* set_of_schedule(const Machine& schedule) {
  const Family* family = find_family(schedule.family);
  for (const OperationSet* set : all_operation_sets()) {
    if (family != nullptr && set->due != nullptr && set->serves(*family)) return set;
  }
  return nullptr;
}

}  // namespace

Result<std::optional<Instant>> when_due(Unit& unit, Machine schedule) {
  const OperationSet* set = set_of_schedule(schedule);
  if (set == nullptr) return std::optional<Instant>();
  return set->due(unit, std::move(schedule));
}

Result<std::optional<Instant>> when_answered(Unit& unit, Machine schedule, const Result<Value>& answer) {
  const OperationSet* set = set_of_schedule(schedule);
  if (set == nullptr || set->answered == nullptr) return std::optional<Instant>();
  return set->answered(unit, std::move(schedule), answer);
}

}  // namespace orlop
