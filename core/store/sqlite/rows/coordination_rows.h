// Coordination data in a SQLite file (store/coordination.h): its rows, and the engines that have the file open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "store/coordination.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/sqlite/write_thread.h"

namespace orlop {

// Errors: lease_lost. May throw SQLite::Exception, as may the reads.
Result<void> apply_coordination(SqliteConnection& connection, const CoordinationChanges& changes);
std::vector<Peer> read_peers(SqliteConnection& connection);
std::vector<Lease> read_leases(SqliteConnection& connection, PartitionSet of);
std::vector<WakeUp> read_wake_ups(SqliteConnection& connection, PartitionSet of, std::size_t limit);
std::vector<InboxReport> read_reports(SqliteConnection& connection, PartitionSet of, std::size_t limit);

// The engines of this process that use one store object, because an engine's lock is not visible through the descriptor
// that holds it. Thread-safe.
class SqliteMembers {
 public:
  explicit SqliteMembers(SqliteFileLock& lock) : lock_(lock) {}
  void join(const Id& engine);
  void leave(const Id& engine);
  // See Membership::has_ended().
  bool has_ended(const Id& engine);

 private:
  SqliteFileLock& lock_;
  std::mutex mutex_;
  std::map<Id, std::size_t> members_;  // number of joins per id: two engines may draw the same id
};

// A joined engine holds a lock of the operating system on a byte of its file. The end of its process releases the lock,
// which shows other engines that it has ended.
class SqliteMembership final : public Membership {
 public:
  SqliteMembership(SqliteMembers& members, SqliteWriter& writer, const Id& engine)
      : members_(members), writer_(writer), engine_(engine) {
    members_.join(engine_);
  }
  ~SqliteMembership() override { members_.leave(engine_); }
  SqliteMembership(const SqliteMembership&) = delete;
  SqliteMembership& operator=(const SqliteMembership&) = delete;

  // Changes whenever a connection other than the writing one has changed the file.
  Result<std::uint64_t> changes() override { return writer_.foreign_changes(); }
  bool has_ended(const Id& engine) override { return members_.has_ended(engine); }

 private:
  SqliteMembers& members_;
  SqliteWriter& writer_;
  Id engine_;
};

}  // namespace orlop
