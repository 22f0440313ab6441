// Several requests of the host in one transaction: all of them take effect, or none.
//
// Threads: begun, used and ended on one thread, which sends nothing else to the engine meanwhile. While it is open
// every other writer of the store waits.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "commit/commit.h"
#include "rest/exchange.h"

namespace orlop {

class Dispatcher;

class RequestBatch {
 public:
  // Dispatcher::begin_batch() begins it. The dispatcher outlives it. One that is destroyed without commit() has had no
  // effect.
  explicit RequestBatch(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}
  RequestBatch(const RequestBatch&) = delete;
  RequestBatch& operator=(const RequestBatch&) = delete;

  // As Dispatcher::dispatch, of the host itself. A request sees what those before it have changed. The first change
  // that is refused ends the batch: what follows gives an error. Refused here (409) is what needs several commits or an
  // answer of external systems. Errors: misuse (credentials, an outside caller, the batch has ended).
  Result<Reply> dispatch(const Request& request);
  // One commit of all changes, after which the batch has ended. Errors: misuse (it has ended), conflict (a request was
  // refused: the message says which), those of the store.
  Result<void> commit();

 private:
  friend class Dispatcher;
  Result<void> require_open() const;
  void fail(const Request& request, const std::string& reason);

  Dispatcher& dispatcher_;
  Committer::Writing writing_;
  std::size_t requests_ = 0;
  std::string failure_;  // why it cannot be committed; "": it can
  bool has_ended_ = false;
};

}  // namespace orlop
