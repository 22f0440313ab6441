#include "deploy/request/request_gate.h"

namespace orlop {

Result<bool> must_wait(Unit& unit, const Record& subject, Action action, const Id& request) {
  RequestGate* const gate = unit.settings().request_gate;
  return gate == nullptr ? Result<bool>(false) : gate->holds(unit, subject, action, request);
}

Result<void> note_created(Unit& unit, const Record& environment) {
  RequestGate* const gate = unit.settings().request_gate;
  return gate == nullptr ? Result<void>() : gate->created(unit, environment);
}

}  // namespace orlop
