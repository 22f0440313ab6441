// Check of the records of a store: texts, keys, references and parents.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/result.h"
#include "check/fault_list.h"
#include "unit/unit.h"

namespace orlop {

struct CheckedRecord {
  FamilyNumber family = 0;
  Id organization;
  std::uint64_t revision = 0;
};

// Every record in the tree, by id.
using CheckedRecords = std::unordered_map<Id, CheckedRecord>;

// Errors: those of the store; storage_corrupt if a row cannot be read.
Result<CheckedRecords> check_records(Unit& unit, FaultList& faults);

}  // namespace orlop
