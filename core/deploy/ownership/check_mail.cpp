#include "deploy/ownership/check_mail.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "deploy/driver/driver.h"
#include "lifecycle/state.h"

namespace orlop {
namespace {

constexpr std::string_view rebuild_or_wait =
    "The next engine that holds the partition drops it; else import a snapshot into a new store: orlop snapshot, orlop "
    "import.";

}  // namespace

Result<CheckedMail> check_leases(Transaction& store, FaultList& faults) {
  CheckedMail mail;
  Coordination* const coordination = store.coordination();
  if (coordination == nullptr) return mail;
  ORLOP_TRY(peers, coordination->peers());
  ORLOP_TRY(leases, coordination->leases(PartitionSet::all()));
  for (const Lease& lease : leases) {
    const bool is_of_nobody = !lease.holder.is_nil() && peers.empty();
    if (lease.epoch == 0)
      faults.add("lease", std::to_string(lease.partition), "has the epoch 0, and an epoch is 1 or more",
                 advice::rebuild);
    if (is_of_nobody)
      faults.add("lease", std::to_string(lease.partition),
                 "is held by the engine " + to_text(lease.holder) + ", and no engine uses the store",
                 "The next engine takes it over.");
  }
  ORLOP_TRY(wake_ups, coordination->wake_ups(PartitionSet::all(), FaultList::faults_max));
  ORLOP_TRY(reports, coordination->reports(PartitionSet::all(), FaultList::faults_max));
  mail.wake_ups = std::move(wake_ups);
  mail.reports = std::move(reports);
  for (const InboxReport& report : mail.reports) mail.steps.insert(report.step);
  return mail;
}

void check_mail(const CheckedMail& mail, const CheckedRecords& records, const CheckedFeed& feed, FaultList& faults) {
  for (const WakeUp& wake_up : mail.wake_ups) {
    const bool is_known = records.contains(wake_up.owner) || feed.subjects.contains(wake_up.owner) || !feed.is_whole;
    if (!is_known)
      faults.add("wake-up", to_text(wake_up.owner), "is for a resource that was never there", rebuild_or_wait);
  }
  for (const InboxReport& report : mail.reports) {
    const int kind = report.kind;
    const bool is_kind =
        kind >= static_cast<int>(ReportKind::build_started) && kind <= static_cast<int>(report_kind_last);
    const bool is_known = feed.started_steps.contains(report.step) || !feed.is_whole;
    std::string fault;
    if (!is_kind) fault = "is of the kind " + std::to_string(kind) + ", which does not exist";
    else if (report.running > static_cast<std::uint8_t>(RunningState::unknown))
      fault = "names a running state with an unknown number";
    else if (partition_of_step(report.step) != report.partition) fault = "lies in another partition than its step";
    else if (!is_known) fault = "is for a step that was never started";
    if (!fault.empty()) faults.add("report", std::to_string(report.number), std::move(fault), rebuild_or_wait);
  }
}

}  // namespace orlop
