// The record that a request concerns, or the parent of the records that it concerns.
#pragma once

#include <memory>

#include "base/id.h"
#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Returns the id of the parent that a create or list names: the last id of its path, or the member of the body or query
// in which the family names it (ParentField). Nil for a root. Error invalid: it is missing where required, or not a
// UUID. Reads nothing.
Result<Id> named_parent(const Call& call);

// Returns named_parent() if the path and the named family agree with the store. Reads only what must be compared:
// create and list check themselves that the parent exists if the family has one parent family and a flat path. Errors:
// not_found; invalid if the parent is of another family than named.
Result<Id> parent_on_path(Unit& unit, const Call& call);

// Returns the parent `id` of a record of `family`; error not_found if it does not exist or its family cannot be the
// parent.
Result<Shared<Record>> require_parent(Unit& unit, const Family& family, const Id& id);

// Returns the last record of the path, which must lie below the records before it; else error not_found.
Result<Record> record_on_path(Unit& unit, const Call& call);

}  // namespace orlop
