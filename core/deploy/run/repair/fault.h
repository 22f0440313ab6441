// Faults that an earlier error can have left in the row of a service, cluster, task or deployment request, so that
// neither a request nor time continues it.
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
  wrong_partition = 2,  // counted among the work of another organization
  unknown_state = 3,    // its number is not a state
  no_way_out = 4,       // no failure ends its state: its action does not have that state
  unattended = 5,       // transient, but not in the list of active rows
  left_over = 6,        // not transient, but with a step, a deadline or an entry in the list of active rows
  no_request = 7,       // a transient service whose request is missing, has ended or does not include it
  no_step = 8,          // it waits for the end of a step that it does not have
  no_deadline = 9,      // its step has no deadline
  not_begun = 10,       // a running request without a beginning
  wrong_family = 11,    // its family is not its record's
  wrong_owner = 12,     // its owner is not its record's
  unknown_number = 13,  // its freshness, running state, action or configuration has an unknown number
  revision_ahead = 14,  // deployed, or configured, from a revision that its record has not reached
  broken_text = 15,     // its outputs or its commit are not JSON
  no_machine = 16,      // a record of a family that has states has no row
  no_job = 17,          // a deletion mark without a job that deletes
};

// Returns the end of a sentence that begins with "the resource": "had a step without a deadline".
std::string_view to_string(RowFault fault);
bool is_repairable(RowFault fault);

struct FaultyRow {
  Id subject;
  FamilyNumber family = 0;
  RowFault fault = RowFault::none;  // the first one, of several
};

// Returns the first fault that the row alone shows, in the order of the numbers; none for other kinds of rows.
RowFault fault_of(const Machine& machine);

// Finds faults of many rows; reads each request once. Valid as long as nothing changes.
class FaultFinder {
 public:
  explicit FaultFinder(Unit& unit) : unit_(unit) {}

  // Checks the row and what it refers to: for a service its request, for a request its record. Errors: those of the
  // store.
  Result<RowFault> of(const Machine& machine);
  // Checks also against the row's record, and numbers that do not affect progress. One more read for each row.
  Result<RowFault> of_all(const Machine& machine);
  // Checks a deletion mark, which has no row.
  Result<RowFault> of_mark(const Id& mark);

 private:
  struct Included {
    bool is_open = false;  // the request exists and has not ended
    Id environment;
    bool is_by_rows = false;  // includes the services whose rows name it; `services` is empty
    std::vector<Id> services;
  };

  Result<const Included*> request(const Id& id);
  Result<bool> is_included(const Machine& service);
  Result<RowFault> of_request(const Machine& request);

  Unit& unit_;
  std::unordered_map<Id, Included> requests_;
};

}  // namespace orlop
