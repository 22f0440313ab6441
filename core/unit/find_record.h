// Reads a record or machine that must exist, and the one record below a parent.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Returns the record `id`, which must be of `family`; else the error not_found that every verb returns.
Result<Record> require(Unit& unit, const Family& family, const Id& id);
Result<Machine> require_machine(Unit& unit, const Id& id);

// Returns the first record of `family` directly below `parent`; null if none. For families with one record per parent.
Result<Shared<Record>> find_child(Unit& unit, const Id& parent, FamilyNumber family);

}  // namespace orlop
