#include "store/sqlite/rows/coordination_rows.h"

#include <bit>
#include <optional>
#include <string>

#include "store/refusal.h"

namespace orlop {
namespace {

Result<void> require_epoch(SqliteConnection& connection, const Fence& fence) {
  StatementRun run = connection.run(SqliteQuery::lease_epoch);
  run.integer(fence.partition);
  const bool holds = run.step() && static_cast<std::uint64_t>(run.integer_at(0)) == fence.epoch;
  if (!holds) return lease_lost(fence.partition);
  return {};
}

std::int64_t bits_of(PartitionSet set) { return static_cast<std::int64_t>(set.bits()); }
std::uint8_t small(std::int64_t value) { return static_cast<std::uint8_t>(value); }

}  // namespace

Result<void> apply_coordination(SqliteConnection& connection, const CoordinationChanges& changes) {
  for (const Fence& fence : changes.fences) ORLOP_CHECK(require_epoch(connection, fence));
  for (const Id& engine : changes.departures) connection.run(SqliteQuery::erase_peer).id(engine).change();
  for (const Peer& peer : changes.peers) {
    connection.run(SqliteQuery::set_peer).id(peer.engine).number(peer.counter).integer(peer.rank).change();
  }
  for (const Lease& lease : changes.leases) {
    connection.run(SqliteQuery::set_lease)
        .integer(lease.partition)
        .id_or_null(lease.holder)
        .number(lease.epoch)
        .change();
  }
  for (const WakeUp& wake_up : changes.taken_wake_ups) {
    const std::int64_t owner = connection.identities().make_number(connection, wake_up.owner);
    connection.run(SqliteQuery::erase_wake_up).integer(wake_up.partition).integer(owner).change();
  }
  for (const WakeUp& wake_up : changes.wake_ups) {
    const std::int64_t owner = connection.identities().make_number(connection, wake_up.owner);
    connection.run(SqliteQuery::insert_wake_up).integer(wake_up.partition).integer(owner).change();
  }
  for (const std::uint64_t number : changes.taken_reports)
    connection.run(SqliteQuery::erase_report).number(number).change();
  for (const InboxReport& report : changes.reports) {
    connection.run(SqliteQuery::insert_report)
        .integer(report.partition)
        .id(report.step)
        .integer(report.at.milliseconds)
        .integer(report.kind)
        .integer(report.running)
        .text_or_null(report.text)
        .change();
  }
  return {};
}

std::vector<Peer> read_peers(SqliteConnection& connection) {
  std::vector<Peer> peers;
  StatementRun run = connection.run(SqliteQuery::peers);
  Id last;
  while (run.step()) {
    const Id engine = run.id_at(0);
    // If they are out of order, none of them can be removed.
    if (engine <= last) throw SQLite::Exception("its engines are out of order", SQLITE_CORRUPT);
    peers.push_back({engine, static_cast<std::uint64_t>(run.integer_at(1)), small(run.integer_at(2))});
    last = engine;
  }
  return peers;
}

namespace {

// Reads the whole table, including rows beyond the last partition: an engine that does not see an existing lease would
// try to take it with each tick.
std::vector<Lease> read_all_leases(SqliteConnection& connection) {
  std::vector<Lease> leases;
  StatementRun run = connection.run(SqliteQuery::all_leases);
  while (run.step()) {
    const std::int64_t partition = run.integer_at(0);
    const std::int64_t least = leases.empty() ? 0 : leases.back().partition + 1;
    if (partition < least || partition >= static_cast<std::int64_t>(partition_count))
      throw SQLite::Exception("its leases are out of order", SQLITE_CORRUPT);
    leases.push_back({small(partition), run.id_at(1), static_cast<std::uint64_t>(run.integer_at(2))});
  }
  return leases;
}

}  // namespace

std::vector<Lease> read_leases(SqliteConnection& connection, PartitionSet of) {
  std::vector<Lease> leases;
  if (of.empty()) return leases;
  if (of.bits() == PartitionSet::all().bits()) return read_all_leases(connection);
  StatementRun run = connection.run(SqliteQuery::leases);
  run.integer(bits_of(of)).integer(std::countr_zero(of.bits())).integer(63 - std::countl_zero(of.bits()));
  while (run.step())
    leases.push_back({small(run.integer_at(0)), run.id_at(1), static_cast<std::uint64_t>(run.integer_at(2))});
  return leases;
}

std::vector<WakeUp> read_wake_ups(SqliteConnection& connection, PartitionSet of, std::size_t limit) {
  std::vector<WakeUp> wake_ups;
  StatementRun run = connection.run(SqliteQuery::wake_ups);
  run.integer(bits_of(of)).bounded(limit);
  while (run.step()) wake_ups.push_back({small(run.integer_at(0)), run.id_at(1)});
  return wake_ups;
}

std::vector<InboxReport> read_reports(SqliteConnection& connection, PartitionSet of, std::size_t limit) {
  std::vector<InboxReport> reports;
  StatementRun run = connection.run(SqliteQuery::inbox);
  run.integer(bits_of(of)).bounded(limit);
  while (run.step()) {
    InboxReport report;
    report.number = static_cast<std::uint64_t>(run.integer_at(0));
    report.partition = small(run.integer_at(1));
    report.step = run.id_at(2);
    report.at = Instant{run.integer_at(3)};
    report.kind = small(run.integer_at(4));
    report.running = small(run.integer_at(5));
    run.read_text(6, report.text);
    reports.push_back(std::move(report));
  }
  return reports;
}

void SqliteMembers::join(const Id& engine) {
  const std::lock_guard lock(mutex_);
  if (++members_[engine] == 1) (void)lock_.hold(engine);  // without such locks other engines wait for the lease time
}

void SqliteMembers::leave(const Id& engine) {
  const std::lock_guard lock(mutex_);
  const auto found = members_.find(engine);
  if (found == members_.end() || --found->second != 0) return;
  lock_.let_go(engine);
  members_.erase(found);
}

bool SqliteMembers::has_ended(const Id& engine) {
  const std::lock_guard lock(mutex_);
  return !members_.contains(engine) && lock_.is_free(engine);
}

}  // namespace orlop
