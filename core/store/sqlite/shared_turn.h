// The write transactions of several threads in one turn of the writer: one SQL transaction, one COMMIT, and nothing that each of them would pay for by itself.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "store/combining_queue.h"
#include "store/sqlite/write_transaction.h"
#include "store/sqlite/writer.h"

namespace orlop {

// Pieces are not separated by savepoints: SQLite copies every page that is changed after one. A piece whose changes fail therefore takes those before it along, and they run again,
// each behind a savepoint of its own. Such a failure is rare: what a request may not do is refused before anything is written.
class SqliteSharedTurns {
 public:
  // `writer` outlives this.
  explicit SqliteSharedTurns(SqliteWriter& writer) : writer_(writer) {}

  // Store::write(). Any thread.
  Result<void> run(const Store::Act& act);
  // How many wait behind the one that is run now.
  std::size_t waiting() { return queue_.waiting(); }

 private:
  class Turn;

  SqliteWriter& writer_;
  CombiningQueue queue_;
};

}  // namespace orlop
