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

// An optimistic writer holds no lock of the server while it reads, one statement on a state of its own after the other,
// and may read rows that this process knew before. It notes what it has read. With its first changes, or to read what
// it cannot note, it takes the lock and validates all that was read: the server then gives it what it has read, or it
// ends with LOST_UPDATE. From there on it is a writer like another one, except that the server numbers its events.
class Transaction {
 public:
  // `pool` outlives the transaction.
  Transaction(Pool& pool, orlop_access access)
      : pool_(pool), is_writer_(access != ORLOP_ACCESS_READ), is_optimistic_(access == ORLOP_ACCESS_OPTIMISTIC) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Of a writer: waits for the others, those of other processes only if it is not optimistic, and begins. A reader
  // begins with its first query, in the same round trip.
  Status begin();
  // Runs one query.
  Status query(Statement statement, Parameters parameters, Rows& rows);
  // `is_last`: commit() comes next, and what it would do may be done already.
  Status apply(const orlop_changes& changes, bool is_last = false);
  // Whether the transaction was kept; after a lost connection it is looked up.
  Status commit();
  // LOST_UPDATE: an optimistic writer has read what is no longer so.
  Status validate();

  // Of a writer: the last event before it and, where the server has numbered them, the last of its own. nullptr: it is
  // to be read.
  const orlop_event* last_event() const { return last_event_ ? &last_event_->event : nullptr; }
  // Whether last_event() says that there is none.
  bool has_no_event() const { return knows_no_event_; }
  // Of a writer: the rows that are known. nullptr: of a reader, or where they may have been changed.
  RowCache* rows() {
    return is_writer_ && !is_over_ && !has_failed_ && !is_committed_ ? pool_.reads().rows() : nullptr;
  }
  // Where an optimistic writer notes what it reads; nullptr: what is read stays so.
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
  // With a number that is known; with the one behind the last; or with the one behind that whose commit is all that is
  // known, which fails if it is not the last one, and is all it takes to find that out where the server holds that one.
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
  bool is_optimistic_;  // and has not validated what it has read
  bool has_turn_ = false;
  // Its turn, with its commit under way: it touches nothing that is known to writers any more.
  bool has_passed_ = false;
  bool has_failed_ = false;
  bool is_stale_ = false;  // failed because of what it has read
  bool is_over_ = false;
  bool is_committed_ = false;
  std::unique_ptr<Connection> connection_;
  // Of a writer.
  std::shared_ptr<const KeptEvent> last_event_;
  bool knows_no_event_ = false;
  bool is_numbered_by_server_ = false;
  std::uint64_t sequence_ = 0;  // of the last event, with its own
  std::int64_t last_mark_ = 0;  // of the commit before
  orlop_id mark_{};             // of its own commit, under last_mark_ + 1; nil: it has changed nothing
  ReadSet read_set_;
};

}  // namespace orlop::postgresql
