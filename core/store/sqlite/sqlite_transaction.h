// Common base of the transactions of a SQLite file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "store/refusal.h"
#include "store/sqlite/check/file_check.h"
#include "store/sqlite/read_rows.h"
#include "store/sqlite/rows/coordination_rows.h"
#include "store/sqlite/rows/count_rows.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// Implements the reads, on the connection that prepare() returns.
class SqliteTransaction : public Transaction, public Coordination {
 public:
  Coordination* coordination() override { return this; }
  Result<std::vector<Peer>> peers() override {
    return read<std::vector<Peer>>([](SqliteConnection& connection) { return read_peers(connection); });
  }
  Result<std::vector<Lease>> leases(PartitionSet of) override {
    return read<std::vector<Lease>>([&](SqliteConnection& connection) { return read_leases(connection, of); });
  }
  Result<std::vector<WakeUp>> wake_ups(PartitionSet of, std::size_t limit) override {
    return read<std::vector<WakeUp>>(
        [&](SqliteConnection& connection) { return read_wake_ups(connection, of, limit); });
  }
  Result<std::vector<InboxReport>> reports(PartitionSet of, std::size_t limit) override {
    return read<std::vector<InboxReport>>(
        [&](SqliteConnection& connection) { return read_reports(connection, of, limit); });
  }
  Result<Shared<Record>> record(const Id& id) override {
    return read<Shared<Record>>([&](SqliteConnection& connection) { return find_record(connection, id); });
  }
  Result<Shared<Machine>> machine(const Id& id) override {
    return read<Shared<Machine>>([&](SqliteConnection& connection) { return find_machine(connection, id); });
  }
  // Reads the machines together, because many are adjacent in the file.
  Result<Rows> rows(const RowKeys& keys) override {
    ORLOP_TRY(found, Transaction::rows({.records = keys.records, .parents = keys.parents}));
    const MachineVisitor keep = [&found](const Machine& machine) {
      return found.machines.emplace_back(Machine(machine)), true;
    };
    ORLOP_CHECK(walk<MachineVisitor>(keep, [&](SqliteConnection& connection, const MachineVisitor& to) {
      visit_machines(connection, keys.machines, to);
    }));
    return found;
  }
  Result<std::optional<Id>> find(std::string_view name_key, Expected) override {
    return read<std::optional<Id>>([&](SqliteConnection& connection) { return read_name(connection, name_key); });
  }
  Result<RecordLinks> links(const Id& id) override {
    return read<RecordLinks>([&](SqliteConnection& connection) { return read_links(connection, id); });
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    return walk<RecordVisitor>(
        visit, [&](SqliteConnection& connection, const RecordVisitor& to) { visit_records(connection, range, to); });
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    return walk<MachineVisitor>(
        visit, [&](SqliteConnection& connection, const MachineVisitor& to) { visit_machines(connection, range, to); });
  }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    return read<std::vector<RecordCount>>([&](SqliteConnection& connection) { return read_counts(connection, range); });
  }
  Result<void> check(const FaultVisitor& visit) override {
    ORLOP_CHECK(read<bool>([&visit](SqliteConnection& connection) { return check_file(connection, visit), true; }));
    return {};
  }
  Result<FeedEnd> feed_end() override {
    return read<FeedEnd>([&](SqliteConnection& connection) { return find_feed_end(connection); });
  }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override {
    return walk<EventVisitor>(
        visit, [&](SqliteConnection& connection, const EventVisitor& to) { visit_events(connection, range, to); });
  }

 protected:
  enum class State : std::uint8_t { open, committed, rolled_back };

  // Returns the connection, with its SQL transaction begun. May throw SQLite::Exception.
  virtual Result<SqliteConnection*> prepare() = 0;
  // Called after each read; an error means that its result cannot be used.
  virtual Result<void> settle() { return {}; }
  // Reads a row from the connection, or from cached rows.
  virtual Shared<Record> find_record(SqliteConnection& connection, const Id& id) = 0;
  virtual Shared<Machine> find_machine(SqliteConnection& connection, const Id& id) {
    return read_machine(connection, id);
  }
  virtual FeedEnd find_feed_end(SqliteConnection& connection) { return read_feed_end(connection); }

  template <typename Value, typename Act>
  Result<Value> read(const Act& act) {
    if (state_ != State::open) return ended_transaction();
    Result<Value> found = fenced([&]() -> Result<Value> {
      ORLOP_TRY(connection, prepare());
      return act(*connection);
    });
    if (found) ORLOP_CHECK(settle());
    if (found) return found;
    return fenced([&]() -> Result<Value> { return doubted(std::move(found).error(), [&] { return again(act); }); });
  }
  template <typename Visitor, typename Act>
  Result<void> walk(const Visitor& visit, const Act& act) {
    if (state_ != State::open) return ended_transaction();
    Result<void> walked = fenced([&]() -> Result<void> {
      ORLOP_TRY(connection, prepare());
      act(*connection, visit);
      return {};
    });
    if (walked) return settle();
    const Visitor ignore = [](const auto&) { return true; };
    return fenced([&]() -> Result<void> {
      return doubted(std::move(walked).error(),
                     [&] { return again([&](SqliteConnection& connection) { act(connection, ignore); }); });
    });
  }
  // Repeats a read, with pages from the disk.
  template <typename Act>
  Result<void> again(const Act& act) {
    return fenced([&]() -> Result<void> {
      ORLOP_TRY(connection, prepare());
      connection->forget_pages();
      (void)act(*connection);
      return {};
    });
  }

  State state_ = State::open;
};

}  // namespace orlop
