// All operation sets. The list is written by the build from the files operations/<folder>/<noun>.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "endpoints/operation_set.h"

namespace orlop {

// In the order of their files' names.
std::span<const OperationSet* const> all_operation_sets();

// The operations of `set` that `family` has: a terraform service has no stop. The set must serve the family.
std::vector<Operation> operations_of(const OperationSet& set, const Family& family);

// The answer of a set to this plain verb; nullptr: that of records/verbs.h.
const ReplacedVerb* replacement_of(const Family& family, Verb verb);

// Calls the `created` hooks of the sets that serve the record's family.
Result<void> after_create(Unit& unit, const Creation& creation);
// The same as Hooks::created of a unit.
Result<void> after_create(Unit& unit, const Family& family, const Record& record, std::uint32_t plan_flags);

// Hooks::due and Hooks::answered of a unit: those of the set that serves the schedule's family.
Result<std::optional<Instant>> when_due(Unit& unit, Machine schedule);
Result<std::optional<Instant>> when_answered(Unit& unit, Machine schedule, const Result<Value>& answer);

}  // namespace orlop
