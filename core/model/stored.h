// Checks a stored record against the fields of its family.
#pragma once

#include <span>
#include <vector>

#include "model/family.h"

namespace orlop {

// Member that names a record.
struct StoredReference {
  const Field* field = nullptr;
  Id target;
};

// Appends a violation for each member that is missing, has another type, or is not a value of its enumeration. Does not
// check bounds and formats: accepted values stay stored when rules become stricter. `record` includes its secrets.
// Appends the references of the record.
void check_stored(std::span<const Field> fields, const Value& record, Violations& violations,
                  std::vector<StoredReference>& references);

}  // namespace orlop
