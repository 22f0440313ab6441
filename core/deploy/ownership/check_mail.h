// Checks the data of engines that share a store: leases, and the wake-ups and reports that one leaves for another.
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

// Checks the leases, and reads the rest; nothing in a store that one engine uses alone. Errors: those of the store.
Result<CheckedMail> check_leases(Transaction& store, FaultList& faults);

// Checks by the records and the feed that the mail is for a resource, or a step, that existed. Mail for a resource that
// is gone by now is not a fault: the engine that takes it drops it.
void check_mail(const CheckedMail& mail, const CheckedRecords& records, const CheckedFeed& feed, FaultList& faults);

}  // namespace orlop
