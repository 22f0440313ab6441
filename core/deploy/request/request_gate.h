// Says which new requests wait in QUEUED before they begin, and learns of new environments: in a simulation, rules
// decide about both.
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
  // Whether what is requested of the environment or cluster waits until release_held(). `request`: the id of the
  // deployment request, of a cluster that of the operation.
  virtual Result<bool> holds(Unit& unit, const Record& subject, Action action, const Id& request) = 0;
  // An environment is created in this unit.
  virtual Result<void> created(Unit& unit, const Record& environment) = 0;
};

// As Settings::request_gate says; false without one.
Result<bool> must_wait(Unit& unit, const Record& subject, Action action, const Id& request);
Result<void> note_created(Unit& unit, const Record& environment);

}  // namespace orlop
