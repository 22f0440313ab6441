// Copies of the records below a record.
#pragma once

#include <unordered_map>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Copies the records directly below `original` whose families are cloned (Family::is_cloned), have no machine and may
// lie below `copy`. Secrets and metadata are copied too. References to each other and to originals in `copies` are
// replaced by references to the copies; adds the new ids to `copies`. Returns true if a copied text may name a resource
// (records/variables/copied_texts.h). Errors: conflict (a name is taken in a scope that both share).
Result<bool> copy_children(Unit& unit, const Record& original, const Record& copy, std::unordered_map<Id, Id>& copies);

}  // namespace orlop
