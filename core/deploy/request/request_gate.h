// Decides which new requests wait in QUEUED before they begin, and is notified of new environments. In a simulation,
// rules implement it.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "lifecycle/action.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Threads: called from every thread that makes requests, one at a time for each store, inside the transaction of the
// request, which may still fail.
class RequestGate {
 public:
  virtual ~RequestGate() = default;
  // Reports whether a request to the environment or cluster waits until release_held(). `request`: id of the deployment
  // request; for a cluster, of the operation.
  virtual Result<bool> holds(Unit& unit, const Record& subject, Action action, const Id& request) = 0;
  // Called when this unit creates an environment.
  virtual Result<void> created(Unit& unit, const Record& environment) = 0;
};

// Asks Settings::request_gate; false without one.
Result<bool> must_wait(Unit& unit, const Record& subject, Action action, const Id& request);
Result<void> note_created(Unit& unit, const Record& environment);

}  // namespace orlop
