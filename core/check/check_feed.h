// The check of the feed: its numbers and times, what each event says, and whether events are found by what they are
// about.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "base/result.h"
#include "check/check_records.h"

namespace orlop {

// What the other parts of a check ask of the feed.
struct CheckedFeed {
  bool is_whole = true;  // it begins with the event 1
  std::unordered_set<Id> subjects;
  std::unordered_set<Id> started_steps;  // of those that were asked for
};

// `steps`: those of which the answer says whether an event names them. `records_events`: whether the engine records
// all events, or a simulation less. Errors: those of the store; storage_corrupt
// where a row cannot be read.
Result<CheckedFeed> check_feed(Unit& unit, const CheckedRecords& records, const std::unordered_set<Id>& steps,
                               bool records_events, FaultList& faults);

// The number of states that a machine of the family can be in.
int state_count_of(FamilyNumber family);

}  // namespace orlop
