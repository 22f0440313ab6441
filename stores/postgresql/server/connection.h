// One connection to the server. Statements are queued and sent together, and their results are taken in order (libpq's
// pipeline mode).
#pragma once

#include <libpq-fe.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "orlop/storage.h"
#include "server/link.h"
#include "server/settings.h"
#include "server/statements.h"
#include "server/status.h"
#include "server/values.h"

namespace orlop::postgresql {

class Connection {
 public:
  // `settings` and `texts` must outlive the connection.
  Connection(const Settings& settings, const std::vector<std::string>& texts) : settings_(settings), texts_(texts) {}

  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Connects. Errors: STORAGE_BUSY (the server is not reached), STORAGE_FAILED (its version is too old).
  // `machine_type`: if it is known and the connection belongs to the host, no query is sent.
  Status open(Oid machine_type);
  // Reads the remaining results, before the host gets the connection back.
  void finish() noexcept;
  // Reports whether a pooler, or the host, may use another session of the server for each transaction.
  bool is_pooled() const { return is_pooled_; }
  // Reports whether the connection must not be used again.
  bool is_lost() const { return is_lost_ || PQstatus(link_.get()) != CONNECTION_OK; }
  // Returns the server's number of the row type of machines; 0 if the table does not exist yet.
  Oid machine_type() const { return machine_type_; }
  // Reads that number and the server process; the tables must exist for the number.
  Status find_session();
  // A commit that was the last one when it was looked up on this connection: the server's state includes it.
  struct Found {
    std::uint64_t chain = 0;          // ReadCache::chain; 0: none
    std::int64_t transaction_id = 0;  // of a transaction at that time, unique in the server
  };
  const Found& found() const { return found_; }
  // Keeps nothing with a pooler, which may use another server each time.
  void keep_found(Found found) { found_ = is_pooled_ ? Found() : found; }
  int server_version() const { return PQserverVersion(link_.get()); }

  // Adds a statement to the queue. take() returns its errors.
  void queue(Statement statement) { queue(statement, Parameters()); }
  void queue(Statement statement, Parameters parameters);
  // Makes the server send the results of the queue up to here immediately, and not only at the end of the group.
  void queue_flush();
  // Returns the number of results that take() will return for the queue.
  std::size_t queued() const;
  // Ends a group, which is a transaction unless a statement has begun one: after a failed statement the rest of the
  // group is skipped. Sends everything.
  void send();
  // Takes the result of the next statement.
  Status take(Rows& rows);
  // Takes the end of a group whose results were taken. Returns an error if the server has not committed a transaction
  // that none of its statements had begun.
  Status take_end();
  // Sends the statement that ends the open transaction. All open results are skipped before the next one that is taken.
  // Does not throw: if memory runs out the connection is lost.
  void end_transaction(Statement end) noexcept;
  // Takes the next results, in order; returns the first error. After a lost connection there are fewer.
  Status take(std::size_t count, std::vector<Rows>& results);
  // Calls send(), and takes the results of the whole queue.
  Status run(std::vector<Rows>& results);
  Status run() {
    std::vector<Rows> results;
    return run(results);
  }
  // Queues the beginning of a transaction. With a pooler, which may use another server process each time, also queues
  // the settings, and waits for the end of the transaction before.
  void queue_begin(Statement begin);

  // Queues a limit on the time that the server waits for the transaction's next group of statements.
  void queue_idle_bound();

  // Runs outside of the pipeline, without preparing; the queue must be empty. Several statements without rows, or one
  // with rows.
  Status execute(const std::string& text);
  Status query(const std::string& text, Rows& rows);

 private:
  enum class Kind { prepared, rows, group };
  struct Expected {
    Kind kind;
    Statement statement;
    bool is_left;
  };

  template <typename Run>
  Status outside(Rows& rows, const Run& run);
  void take_rest();
  void queue_settings(bool for_transaction);
  Status end_of_group(PGresult* result);
  Status take_one(const Expected& expected, Rows& rows);
  Status error_of(const PGresult* result) const;
  Status lost(const char* reason);

  const Settings& settings_;
  const std::vector<std::string>& texts_;
  Link link_;
  std::deque<Expected> expected_;
  std::array<bool, statement_count> is_prepared_{};
  bool is_pooled_ = false;
  Found found_;
  Oid machine_type_ = 0;
  bool is_lost_ = false;
};

}  // namespace orlop::postgresql
