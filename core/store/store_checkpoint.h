// Checkpoints of a store in memory: states that the store can return to, or that another store can start from. A
// checkpoint shares unchanged rows with the store: taking one costs the same for any size, and going back costs as much
// as has changed since.
#pragma once

#include <memory>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// Must be freed before its store.
class StoreCheckpoint {
 public:
  virtual ~StoreCheckpoint() = default;
};

// Interface of a store that supports checkpoints, in addition to Store. Threads: as Store.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;
  // Returns the state after the last commit.
  virtual std::shared_ptr<const StoreCheckpoint> checkpoint() = 0;
  // Opens a transaction that reads that state. Error conflict: as for go_back().
  virtual Result<std::unique_ptr<Transaction>> read(const StoreCheckpoint& checkpoint) = 0;
  // Returns a store with that state alone, which shares the rows with this one. Error conflict: as for go_back().
  virtual Result<std::unique_ptr<Store>> copy(const StoreCheckpoint& checkpoint) = 0;
  // Makes that state the present one. Discards what was committed since, and the checkpoints taken since. Waits for an
  // open writer. Errors: conflict (the checkpoint was discarded by an earlier go_back(), or belongs to another store),
  // storage_busy (a reader is open; nothing has changed).
  virtual Result<void> go_back(const StoreCheckpoint& checkpoint) = 0;
  // Replaces the contents by those of `other`, a store of the same kind that nothing else uses. Discards all
  // checkpoints. Error storage_busy: as above.
  virtual Result<void> replace(Store& other) = 0;
};

}  // namespace orlop
