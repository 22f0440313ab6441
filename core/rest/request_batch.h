// Several requests of the host in one transaction: all of them take effect, or none.
//
// Threads: begun, used and ended on one thread, which sends no other request to the engine meanwhile. While the batch
// is open every other writer of the store waits.
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
  // Dispatcher::begin_batch() begins it. The dispatcher must outlive it. Without commit() it has no effect.
  explicit RequestBatch(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}
  RequestBatch(const RequestBatch&) = delete;
  RequestBatch& operator=(const RequestBatch&) = delete;

  // As Dispatcher::dispatch, with the host as the caller. A request sees the changes of the earlier requests. The first
  // refused change ends the batch: later calls return an error. Requests that need several commits or an answer of
  // external systems are refused (409). Errors: misuse (credentials, an outside caller, the batch has ended).
  Result<Reply> dispatch(const Request& request);
  // Commits all changes and ends the batch. Errors: misuse (it has ended), conflict (a request was refused; the message
  // names it), those of the store.
  Result<void> commit();

 private:
  friend class Dispatcher;
  Result<void> require_open() const;
  void fail(const Request& request, const std::string& reason);

  Dispatcher& dispatcher_;
  Committer::Writing writing_;
  std::size_t requests_ = 0;
  std::string failure_;  // reason why the batch cannot be committed, or ""
  bool has_ended_ = false;
};

}  // namespace orlop
