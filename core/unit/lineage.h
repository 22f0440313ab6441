// Ancestors of a record: environment, project and organization of a service.
#pragma once

#include <utility>

#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Walks up from a record, one parent at a time, and reads only the parents it is asked for.
class Lineage {
 public:
  Lineage(Unit& unit, Record record) : unit_(unit), at_(std::move(record)) {}

  const Record& at() const { return at_; }
  // Moves to the parent. False if there is no parent, or it is gone.
  Result<bool> up();

 private:
  Unit& unit_;
  Record at_;
};

}  // namespace orlop
