// What an earlier fault can have left in the row of a service, cluster, task or deployment request, so that neither a request nor time moves it on any more.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "deploy/run/repair/found_fault.h"
#include "model/family.h"
#include "ops/unit/unit.h"

namespace orlop {

// What the row shows by itself, in the order of the numbers; none for other kinds of rows.
RowFault fault_of(const Machine& machine);

// Finds faults of many rows; what it reads about a request it reads once. Lives as long as nothing changes.
class FaultFinder {
 public:
  explicit FaultFinder(Unit& unit) : unit_(unit) {}

  // What the row shows, and what it refers to: for a service its request, for a request its record. Errors: those of the store.
  Result<RowFault> of(const Machine& machine);
  // The same, with what only the row's own record shows. One read more for each row.
  Result<RowFault> of_all(const Machine& machine);

 private:
  struct Included {
    bool is_open = false;  // there is such a request, and it has not ended
    Id environment;
    bool is_by_rows = false;  // all whose rows name it, as those of a whole environment
    std::vector<Id> services;
  };

  Result<const Included*> request(const Id& id);
  Result<bool> is_included(const Machine& service);
  Result<RowFault> of_request(const Machine& request);

  Unit& unit_;
  std::unordered_map<Id, Included> requests_;
};

}  // namespace orlop
