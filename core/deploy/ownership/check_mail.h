// The check of what engines that share a store keep in it: leases, and the work and reports that one leaves for
// another.
#pragma once

#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "check/check_feed.h"

namespace orlop {

struct CheckedMail {
  std::vector<WakeUp> wake_ups;
  std::vector<InboxReport> reports;
  std::unordered_set<Id> steps;  // of the reports
};

// Checks the leases, and reads the rest. Nothing of a store that one engine uses alone. Errors: those of the store.
Result<CheckedMail> check_leases(Transaction& store, FaultList& faults);

// What is left is for a resource, or a step, that was there: by the records and the feed. One whose resource is gone by
// now is dropped by the engine that takes it.
void check_mail(const CheckedMail& mail, const CheckedRecords& records, const CheckedFeed& feed, FaultList& faults);

}  // namespace orlop
