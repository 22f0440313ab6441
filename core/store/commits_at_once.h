// Changes and their commit in one call: one round trip to a server instead of two.
#pragma once

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// What a Transaction is beside, if its store or one behind it can do so.
class CommitsAtOnce {
 public:
  // What apply() and then commit() would do. After it the transaction can only be destroyed.
  virtual Result<void> apply_and_commit(const Changes& changes) = 0;

 protected:
  ~CommitsAtOnce() = default;
};

// The same for any transaction.
Result<void> apply_and_commit(Transaction& transaction, const Changes& changes);

}  // namespace orlop
