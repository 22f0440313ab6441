// The text of a stored record against the fields of its family.
#pragma once

#include <span>
#include <vector>

#include "model/family.h"

namespace orlop {

// A member that names a record.
struct StoredReference {
  const Field* field = nullptr;
  Id target;
};

// Appends a violation for each member that is missing, of another type, or no value of its enumeration. Bounds and
// forms are not compared: what was accepted stays stored when the rules become stricter. `record` has its secrets.
// Appends what the record refers to.
void check_stored(std::span<const Field> fields, const Value& record, Violations& violations,
                  std::vector<StoredReference>& references);

}  // namespace orlop
