// Check of the feed: numbers, times and contents of events, and the indexes by which events are found.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "base/result.h"
#include "check/check_records.h"

namespace orlop {

// Facts about the feed that the other parts of a check use.
struct CheckedFeed {
  bool is_whole = true;  // the feed begins with event 1
  std::unordered_set<Id> subjects;
  std::unordered_set<Id> started_steps;  // steps among those asked for that an event names
};

// Checks the feed. `steps`: steps to look for in events. `records_events`: the engine records all events; false in a
// simulation that records fewer. Errors: those of the store; storage_corrupt if a row cannot be read.
Result<CheckedFeed> check_feed(Unit& unit, const CheckedRecords& records, const std::unordered_set<Id>& steps,
                               bool records_events, FaultList& faults);

int state_count_of(FamilyNumber family);

}  // namespace orlop
