// A transaction of the store on a connection of the pool.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "connection.h"
#include "orlop/storage.h"
#include "pool.h"
#include "status.h"
#include "values.h"

namespace orlop::postgresql {

class Transaction {
 public:
  // `pool` outlives the transaction.
  Transaction(Pool& pool, bool is_writer) : pool_(pool), is_writer_(is_writer) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Of a writer: waits for the others, and begins. A reader begins with its first query, in the same round trip.
  Status begin();
  // Runs one query.
  Status query(Statement statement, Parameters parameters, Rows& rows);
  // `is_last`: commit() comes next, and what it would do may be done already.
  Status apply(const orlop_changes& changes, bool is_last = false);
  // Whether the transaction was kept; after a lost connection it is looked up.
  Status commit();

  // Of a writer: the row of the last event, as long as it has added none.
  const Rows* last_event() const { return has_events_ ? nullptr : &last_event_; }
  // Of a writer that has changed nothing: the rows that are known. Else nullptr.
  RowCache* rows() { return is_writer_ && !is_over_ && !has_failed_ && !is_committed_ ? pool_.reads().rows() : nullptr; }

 private:
  void queue_writer();
  Status begin_writer_on(bool new_connection);
  Status begin_reader(Statement statement, const Parameters& parameters, Rows& rows);
  std::uint64_t first_event_of(const orlop_changes& changes) const;
  Status query_server(Statement statement, Parameters parameters, Rows& rows);
  Status has_committed(Status status);
  Status apply_on_connection(const orlop_changes& changes, bool is_last);
  Status run_again(const orlop_changes& changes, bool is_last, Status why);
  Status find_outcome(const Status& why);
  Status look_up_mark(bool& is_kept);
  void end();

  Pool& pool_;
  const bool is_writer_;
  bool has_turn_ = false;
  bool has_failed_ = false;
  bool is_over_ = false;
  bool is_committed_ = false;
  std::unique_ptr<Connection> connection_;
  // Of a writer.
  Rows last_event_;
  std::uint64_t sequence_ = 0;  // of the last event, with its own
  bool has_events_ = false;
  std::int64_t last_mark_ = 0;  // of the commit before
  orlop_id mark_{};             // of its own commit, under last_mark_ + 1; nil: it has changed nothing
};

}  // namespace orlop::postgresql
