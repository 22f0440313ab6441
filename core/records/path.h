// What a request names: the record that it is about, or the parent of the records that it is about.
#pragma once

#include <memory>

#include "base/id.h"
#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// The id of the parent that a create or list names: the last id of its path, or the member of the body or parameter of
// the query in which the family names it (ParentField). Nil for a root. Error invalid: it is required, or no uuid.
// Reads nothing.
Result<Id> named_parent(const Call& call);

// named_parent(), when the path and the named family agree with what is stored. Reads only what there is to compare:
// that the parent of a family with one parent and a flat path is there, create and list find out themselves. Errors:
// not_found; invalid if the parent is of another family than the one named.
Result<Id> parent_on_path(Unit& unit, const Call& call);

// The parent `id` of a record of `family`; error not_found if there is none, or one of a family that cannot be its
// parent.
Result<Shared<Record>> require_parent(Unit& unit, const Family& family, const Id& id);

// The record that the path names last, which must lie below the records that it names before; error not_found.
Result<Record> record_on_path(Unit& unit, const Call& call);

}  // namespace orlop
