// The ways in which a stored row may be left without anything that moves it on, and where they were found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/family_number.h"
#include "base/id.h"

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
};

// The end of a sentence that begins with "the resource": "had a step without a deadline".
std::string_view to_string(RowFault fault);

struct FoundFault {
  Id subject;
  FamilyNumber family = 0;
  RowFault fault = RowFault::none;  // the first one, of several
};

// [{"id", "type", "fault"}, …]
std::string faults_json(const std::vector<FoundFault>& faults);

}  // namespace orlop
