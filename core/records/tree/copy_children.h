// Copies of what lies below a record.
#pragma once

#include <unordered_map>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Copies the records directly below `original` whose families are cloned (Family::is_cloned), have no machine and may
// lie below `copy`. Secrets and metadata are copied too. References among the copies, and to what `copies` names, lead
// to the copies; `copies` then holds the new ids by the old ones. Errors: conflict (a name is taken in a scope that
// both share). True: a text of theirs may name a resource (records/variables/copied_texts.h).
Result<bool> copy_children(Unit& unit, const Record& original, const Record& copy, std::unordered_map<Id, Id>& copies);

}  // namespace orlop
