// A transaction of the store on a connection of the pool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "known/read_set.h"
#include "orlop/storage.h"
#include "server/connection.h"
#include "server/pool.h"
#include "server/status.h"
#include "server/values.h"

namespace orlop::postgresql {

class Changes;

// An optimistic writer holds no lock of the server while it reads, each statement with its own snapshot, and may read
// cached rows. It notes its reads. With its first changes, or for a read that it cannot note, it takes the lock and
// validates all reads: if any is outdated it ends with LOST_UPDATE. From then on it is a normal writer, except that the
// server numbers its events.
class Transaction {
 public:
  // `pool` must outlive the transaction.
  Transaction(Pool& pool, orlop_access access)
      : pool_(pool), is_writer_(access != ORLOP_ACCESS_READ), is_optimistic_(access == ORLOP_ACCESS_OPTIMISTIC) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // A writer waits for the others, for those of other processes only if it is not optimistic, and begins. A reader
  // begins with its first query, in the same round trip.
  Status begin();
  // Runs one query.
  Status query(Statement statement, Parameters parameters, Rows& rows);
  // `is_last`: commit() comes next, and this call may already commit.
  Status apply(const orlop_changes& changes, bool is_last = false);
  // Returns whether the transaction was kept; after a lost connection it is looked up.
  Status commit();
  // Error LOST_UPDATE: an optimistic writer has read outdated rows.
  Status validate();

  // For a writer: returns the last event before it, or of its own once the server has numbered them; null if it must be
  // read.
  const orlop_event* last_event() const { return last_event_ ? &last_event_->event : nullptr; }
  // Reports whether last_event() is null because there are no events.
  bool has_no_event() const { return knows_no_event_; }
  // Returns the cached rows for a writer; null for a reader, or if they may have been changed.
  RowCache* rows() {
    return is_writer_ && !is_over_ && !has_failed_ && !is_committed_ ? pool_.reads().rows() : nullptr;
  }
  // Returns the set in which an optimistic writer notes its reads; null if reads need no validation.
  ReadSet* read_set() { return is_optimistic_ && !is_over_ && !has_failed_ ? &read_set_ : nullptr; }

 private:
  static constexpr int attempts_max = 5;
  struct Query {
    Statement statement;
    Parameters parameters;
  };

  void queue(const std::vector<Query>& queries);
  void queue_writer();
  Status begin_writer();
  Status begin_writer_on(bool new_connection);
  Status read_optimistically(const std::vector<Query>& queries, Rows& rows);
  std::vector<Query> validation(const orlop_changes* changes) const;
  bool holds_last_mark() const;
  bool can_be_optimistic(const orlop_changes& changes) const;
  Status apply_optimistically(const orlop_changes& changes, bool is_last);
  void has_changed(const orlop_changes& changes, const Rows& numbered);
  void note_last_event(const orlop_changes& changes, const Rows& numbered);
  Status stale();
  Status settle();
  Status send(const orlop_changes& changes, Changes& applied, std::size_t before);
  void pass_turn(const orlop_changes& changes) noexcept;
  Status refused_lock(Status status) const;
  Status begin_reader(Statement statement, const Parameters& parameters, Rows& rows);
  std::optional<std::uint64_t> first_event_of(const orlop_changes& changes) const;
  Status query_server(Statement statement, Parameters parameters, Rows& rows);
  Status has_committed(Status status);
  // numbered: last_mark_ + 1. next: the number after the last one in the store. validated: the number after the last
  // known commit, which must still be the last one. unless_taken: the same, if the server is known to hold that commit,
  // so that only a taken number shows a later one.
  enum class Mark { numbered, next, validated, unless_taken };
  void queue_mark(Mark kind);
  Parameters last_mark_known() const;
  Status apply_on_connection(const orlop_changes& changes, bool is_last);
  Status run_again(const orlop_changes& changes, bool is_last, Status why);
  Status find_outcome(const Status& why);
  Status look_up_mark(std::int64_t& number);
  void end();
  static Status ended() { return misuse("the transaction has ended"); }

  Pool& pool_;
  const bool is_writer_;
  bool is_optimistic_;  // and its reads are not validated yet
  bool has_turn_ = false;
  // It has passed its turn while its commit is under way: it must not use cached rows any more.
  bool has_passed_ = false;
  bool has_failed_ = false;
  bool is_stale_ = false;  // failed because of outdated reads
  bool is_over_ = false;
  bool is_committed_ = false;
  std::unique_ptr<Connection> connection_;
  // Only for a writer.
  std::shared_ptr<const KeptEvent> last_event_;
  bool knows_no_event_ = false;
  bool is_numbered_by_server_ = false;
  std::uint64_t sequence_ = 0;  // of the last event, including its own
  std::int64_t last_mark_ = 0;  // number of the last commit before
  orlop_id mark_{};             // of its own commit, number last_mark_ + 1; nil if it has changed nothing
  ReadSet read_set_;
};

}  // namespace orlop::postgresql
