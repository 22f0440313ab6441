// States of a store in memory to go back to, or to go on from in another one. A checkpoint shares what has not changed
// since with the store: it costs nothing to take, and what it costs to go back to it depends on what changed since,
// never on what is stored.
#pragma once

#include <memory>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// Freed before its store.
class StoreCheckpoint {
 public:
  virtual ~StoreCheckpoint() = default;
};

// What a store has beside Store that can do this. Threads: as Store.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  // The state after the last commit.
  virtual std::shared_ptr<const StoreCheckpoint> checkpoint() = 0;
  // A transaction that reads that state. Error conflict: as for go_back().
  virtual Result<std::unique_ptr<Transaction>> read(const StoreCheckpoint& checkpoint) = 0;
  // A store with that state alone, which shares the rows with this one. Error conflict: as for go_back().
  virtual Result<std::unique_ptr<Store>> copy(const StoreCheckpoint& checkpoint) = 0;
  // Makes that state the present one; what was committed since is gone, and so are the checkpoints that were taken
  // since. Waits for an open writer. Errors: conflict (the checkpoint was taken after one that was gone back to, or is
  // of another store), storage_busy (a reader is open; nothing has changed).
  virtual Result<void> go_back(const StoreCheckpoint& checkpoint) = 0;
  // Takes all that `other` holds, a store of the same kind that nothing else uses, in the place of what is here.
  // Checkpoints are gone. Error storage_busy: as above.
  virtual Result<void> replace(Store& other) = 0;
};

}  // namespace orlop
