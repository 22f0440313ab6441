// One call of apply(): its changes as few statements, in as few round trips as their results allow.
//
// Records and machines are written in runs: consecutive rows that one statement can write with the same effect as one
// statement each. No two rows of a run have the same id; a record that changes its name is a separate run; a record
// whose id occurred before waits for the results of what was sent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "known/row_cache.h"
#include "orlop/storage.h"
#include "rows/counts.h"
#include "server/connection.h"
#include "server/status.h"

namespace orlop::postgresql {

class Changes {
 public:
  enum class Ends { by_caller, with_these, with_group };
  // `known`: rows, possibly older or newer than those of the server; null if there are none. `first_event`: the number
  // of the first event; nullopt: the server numbers them after its last one. `ends`: with_these: the transaction is
  // committed after these changes, if that can be decided before their results are seen; with_group: no statement has
  // begun it, and the end of the group commits.
  Changes(Connection& connection, const Settings& settings, const orlop_changes& changes, const RowCache* known,
          std::optional<std::uint64_t> first_event, Ends ends)
      : connection_(connection),
        settings_(settings),
        changes_(changes),
        known_(known),
        first_event_(first_event),
        ends_(ends),
        is_of_group_(ends == Ends::with_group) {}

  // Sends all changes, after statements that are already queued. Returns the error of the first change that failed.
  // `go_on` is called if COMMIT was sent and the first `before` results have come without an error.
  Status run(std::size_t before, const std::function<void()>& go_on);
  // Reports whether run() has sent COMMIT, or the end of the group, with the last of the changes. If run() succeeded,
  // it has then committed.
  bool has_sent_commit() const { return has_sent_commit_; }
  // Reports whether the transaction is that of its first group: no statement has begun it, and it ends with the group.
  bool is_of_group() const { return is_of_group_; }
  // Returns the result of the last statement that was queued before the changes.
  const Rows& result_before() const { return result_before_; }
  // Returns number, time and count of ids of the last event, if the server has numbered the events.
  const Rows& last_event() const { return last_event_; }

 private:
  using Bytes = std::string;
  using Records = std::span<const orlop_record_write* const>;
  using Machines = std::span<const orlop_machine* const>;
  // Check to apply to the result of a queued statement.
  struct Expected {
    enum class Kind {
      any,
      fences,
      updated_records,
      records_in_place,
      updated_machines,
      removed_references,
      added_references,
      numbered_events,
      commit
    };
    Kind kind = Kind::any;
    Records records = {};
    Machines machines = {};
  };

  void queue(Statement statement, Parameters parameters, Expected expected);
  void queue_coordination();
  void queue_erasures();
  Status queue_records();
  void queue_inserts(Records records);
  bool is_in_place(const orlop_record_write& write) const;
  void queue_updates(Records records, bool in_place);
  void queue_references(Records updated);
  Status queue_machines();
  void queue_machine_run(Machines machines);
  void queue_events();

  void queue_going_on();
  // Sends the queue and checks the results.
  Status flush();
  Status flush(std::size_t before, const std::function<void()>& go_on);
  Status check(const Expected& expected, const Rows& rows);
  Status unmet(const Expected& expected) const;
  bool can_commit() const;
  Status check_update(Records records, const Rows& rows);
  void note_references(const Rows& rows, std::int64_t difference);
  // Changes the counts by what flush() has found.
  Status settle();
  Status count_moved_references();

  // Families of a record before and after an update.
  struct Moved {
    std::int32_t family_before = 0;
    std::int32_t family = 0;
    orlop_id id{};
  };

  Connection& connection_;
  const Settings& settings_;
  const orlop_changes& changes_;
  const RowCache* known_;
  std::optional<std::uint64_t> first_event_;
  Ends ends_;
  bool is_of_group_;
  Rows result_before_;
  Rows last_event_;
  CountChanges counts_;
  std::vector<Expected> expected_;
  bool has_sent_commit_ = false;
  std::set<Bytes> ids_;  // of the records or machines queued since the last flush
  std::map<Bytes, Moved> updated_;
  std::vector<std::pair<orlop_id, orlop_id>> removed_;  // references: source and target
  std::vector<std::pair<orlop_id, orlop_id>> added_;
};

}  // namespace orlop::postgresql
