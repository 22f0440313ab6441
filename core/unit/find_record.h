// Reading of a record or machine that must be there, and of the one record below a parent.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// The record `id`, which must be of `family`; else the error not_found that every verb gives.
Result<Record> require(Unit& unit, const Family& family, const Id& id);
Result<Machine> require_machine(Unit& unit, const Id& id);

// The first record of `family` directly below `parent`; nothing if there is none. For families of one record per
// parent.
Result<Shared<Record>> find_child(Unit& unit, const Id& parent, FamilyNumber family);

}  // namespace orlop
