// One connection to the server. Statements are queued, sent together, and their results taken in order (libpq's
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
  // `settings` and `texts` outlive the connection.
  Connection(const Settings& settings, const std::vector<std::string>& texts) : settings_(settings), texts_(texts) {}

  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Connects. Errors: STORAGE_BUSY (it is not reached), STORAGE_FAILED (its version is too old). `machine_type`: where
  // it is known, and the connection one of the host, nothing is asked.
  Status open(Oid machine_type);
  // Reads the answers that were left, before the host gets the connection back.
  void finish() noexcept;
  // Whether a pooler, or the host, may give each transaction another session of the server.
  bool is_pooled() const { return is_pooled_; }
  // Whether it must not be used again.
  bool is_lost() const { return is_lost_ || PQstatus(link_.get()) != CONNECTION_OK; }
  // The number that the server gives to the type of the rows of the machines; 0: there is no such table yet.
  Oid machine_type() const { return machine_type_; }
  // Learns the types of the rows, once there are tables.
  Status find_session();
  // A commit that was found to be the last one, on this connection: what the server holds now comes after it.
  struct Found {
    std::uint64_t chain = 0;          // ReadCache::chain; 0: none
    std::int64_t transaction_id = 0;  // of a transaction of then, among all of the server
  };
  const Found& found() const { return found_; }
  // A pooler may lead to another server each time.
  void keep_found(Found found) { found_ = is_pooled_ ? Found() : found; }
  int server_version() const { return PQserverVersion(link_.get()); }

  // Adds a statement to the queue. What goes wrong is said by take().
  void queue(Statement statement) { queue(statement, Parameters()); }
  void queue(Statement statement, Parameters parameters);
  // The server is to answer what is queued up to here as soon as it is done, and not only at the end of the group.
  void queue_flush();
  // How many results take() will give for what is queued.
  std::size_t queued() const;
  // Ends a group, which is a transaction of its own unless a statement has begun one: the statements behind one that
  // failed are skipped up to here. Sends everything.
  void send();
  // The result of the next statement.
  Status take(Rows& rows);
  // The end of a group whose results were taken: whether the server has committed what was begun by none of its
  // statements.
  Status take_end();
  // Sends the statement that ends the open transaction, and leaves all results: they are read, without being looked at,
  // before the next one that is taken. Does not throw: without memory the connection is given up.
  void end_transaction(Statement end) noexcept;
  // The next results, in their order; the first error. After a lost connection there are fewer.
  Status take(std::size_t count, std::vector<Rows>& results);
  // send(), and the results of all that was queued.
  Status run(std::vector<Rows>& results);
  Status run() {
    std::vector<Rows> results;
    return run(results);
  }
  // Queues the beginning of a transaction. With a pooler, which may take another server process each time, the settings
  // are queued with it, and the end of the transaction before is waited for.
  void queue_begin(Statement begin);

  // Queues that the server gives the transaction up where it waits for its next group of statements too long.
  void queue_idle_bound();

  // Outside of the pipeline, and prepared nowhere; nothing may be queued. Several statements without rows, or one with.
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
