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

// Returns the operations of `set` for `family`: a terraform service has no stop. The set must serve the family.
std::vector<Operation> operations_of(const OperationSet& set, const Family& family);

// Returns the handler of a set for this plain verb; null if records/verbs.h handles it.
const ReplacedVerb* replacement_of(const Family& family, Verb verb);

// Calls the `created` hooks of the sets that serve the record's family.
Result<void> after_create(Unit& unit, const Creation& creation);
// after_create() with the signature of Hooks::created.
Result<void> after_create(Unit& unit, const Family& family, const Record& record, std::uint32_t plan_flags);

// Implement Hooks::due and Hooks::answered with the set that serves the schedule's family.
Result<std::optional<Instant>> when_due(Unit& unit, Machine schedule);
Result<std::optional<Instant>> when_answered(Unit& unit, Machine schedule, const Result<Value>& answer);

}  // namespace orlop
