// What lies above a record: of a service its environment, the project, the organization.
#pragma once

#include <utility>

#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Goes up from a record, one parent at a time, and reads no further than it is asked to.
class Lineage {
 public:
  Lineage(Unit& unit, Record record) : unit_(unit), at_(std::move(record)) {}

  const Record& at() const { return at_; }
  // False: nothing lies above, or it has gone.
  Result<bool> up();

 private:
  Unit& unit_;
  Record at_;
};

}  // namespace orlop
