// Checks a store and repairs faults.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "check/check_feed.h"
#include "check/check_records.h"
#include "deploy/ownership/check_mail.h"
#include "deploy/run/repair/repair.h"
#include "engine.h"
#include "store/store_check.h"
#include "unit/without_deleted.h"

namespace orlop {
namespace {

constexpr std::size_t mended_by_commit = 200;

// For units that only read.
class NoRandomSource : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t, std::uint64_t) override { return 0; }
};

FoundFault described(const FaultyRow& row) {
  const bool can_be_mended = is_repairable(row.fault);
  return {family_text(row.family), to_text(row.subject), std::string(to_string(row.fault)),
          std::string(can_be_mended ? advice::repair : advice::backup), can_be_mended};
}

}  // namespace

Result<Engine::Findings> Engine::look_for_faults() {
  Findings findings;
  FaultList faults;
  Result<void> looked = look_at_rows(findings.rows, faults);
  if (looked) looked = look_at_contents(faults);
  // An unreadable store is an additional fault if there are others; else the check fails.
  const bool is_unreadable = !looked && (looked.error().code == ErrorCode::storage_corrupt ||
                                         looked.error().code == ErrorCode::storage_failed);
  const bool is_one_more = is_unreadable && !faults.faults().empty();
  if (!looked && !is_one_more) return std::move(looked).error();
  if (is_one_more) faults.add("store", "", "cannot be read on: " + looked.error().message, advice::backup);
  findings.faults = std::move(faults.faults());
  return findings;
}

Result<void> Engine::look_at_rows(std::vector<FaultyRow>& rows, FaultList& faults) {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_CHECK(transaction->check([&faults](FoundFault&& fault) { faults.add(std::move(fault)); }));
  if (faults.faults().empty()) ORLOP_CHECK(check_counts(*transaction));
  NoRandomSource random_source;
  Unit unit(*transaction, random_source, {}, now(), options_.settings);
  ORLOP_TRY(found, find_faults(unit));
  for (const FaultyRow& row : found) faults.add(described(row));
  rows = std::move(found);
  return {};
}

// Reads the store without the records that are being deleted, as requests do: those may refer to deleted records.
Result<void> Engine::look_at_contents(FaultList& faults) {
  ORLOP_TRY(opened, store_->begin(Access::read));
  ORLOP_TRY(transaction, without_deleted(std::move(opened)));
  NoRandomSource random_source;
  Unit unit(*transaction, random_source, {}, now(), options_.settings);
  ORLOP_TRY(records, check_records(unit, faults));
  ORLOP_TRY(mail, check_leases(*transaction, faults));
  ORLOP_TRY(feed, check_feed(unit, records, mail.steps, committer_.records_all(), faults));
  check_mail(mail, records, feed, faults);
  return {};
}

Result<std::vector<FoundFault>> Engine::check(bool repairs) {
  ORLOP_TRY(findings, look_for_faults());
  if (!repairs || findings.rows.empty()) return std::move(findings.faults);
  const std::lock_guard tick_lock(tick_mutex_);
  for (std::size_t at = 0; at < findings.rows.size(); at += mended_by_commit) {
    const std::span<const FaultyRow> part =
        std::span(findings.rows).subspan(at, std::min(mended_by_commit, findings.rows.size() - at));
    ORLOP_TRY(woken, committer_.run([&](Unit& unit) -> Result<void> {
      for (const FaultyRow& row : part) {
        ORLOP_TRY(owner, mend(unit, row.subject, true));
        ORLOP_TRY(machine, unit.machine(owner));
        if (machine) unit.wake(owner, machine->partition);
      }
      return {};
    }));
    wake(woken);
  }
  must_recover_ = true;  // cached rows are out of date
  ring();
  return std::move(findings.faults);
}

}  // namespace orlop
