// What an earlier fault can have left in the row of a service, cluster, task or deployment request, so that neither a
// request nor time moves it on any more.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/family_number.h"
#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

enum class RowFault : std::uint8_t {
  none = 0,
  no_record = 1,        // its resource is gone
  wrong_partition = 2,  // it is counted among the work of another organization
  unknown_state = 3,    // its number is no state
  no_way_out = 4,       // no failure ends its state: its action does not have that state
  unattended = 5,       // it is under way, and not in the list of active rows
  left_over = 6,        // it is at rest, with a step, a deadline or a place in the list of active rows
  no_request = 7,       // a service is under way for no request, or for one that has ended or does not include it
  no_step = 8,          // it waits for the end of a step that it does not have
  no_deadline = 9,      // its step has no deadline
  not_begun = 10,       // a request runs that has no beginning
  wrong_family = 11,    // it is that of another family than its record
  wrong_owner = 12,     // it is found below another resource than its record
  unknown_number = 13,  // its freshness, running state, action or configuration is none of its enum
  revision_ahead = 14,  // it is deployed, or configured, from a revision that its record has not reached
  broken_text = 15,     // its outputs or its commit are no JSON
  no_machine = 16,      // a record of a family that has states has none
  no_job = 17,          // a mark of what is being deleted has no job that deletes it
};

// The end of a sentence that begins with "the resource": "had a step without a deadline".
std::string_view to_string(RowFault fault);
// Whether mend() puts it right.
bool is_repairable(RowFault fault);

struct FaultyRow {
  Id subject;
  FamilyNumber family = 0;
  RowFault fault = RowFault::none;  // the first one, of several
};

// What the row shows by itself, in the order of the numbers; none for other kinds of rows.
RowFault fault_of(const Machine& machine);

// Finds faults of many rows; what it reads about a request it reads once. Lives as long as nothing changes.
class FaultFinder {
 public:
  explicit FaultFinder(Unit& unit) : unit_(unit) {}

  // What the row shows, and what it refers to: for a service its request, for a request its record. Errors: those of
  // the store.
  Result<RowFault> of(const Machine& machine);
  // The same, with what only the row's own record shows, and the numbers that move nothing on. One read more for each
  // row.
  Result<RowFault> of_all(const Machine& machine);
  // Of the mark of what is being deleted, which has no row.
  Result<RowFault> of_mark(const Id& mark);

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
