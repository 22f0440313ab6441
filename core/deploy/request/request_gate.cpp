#include "deploy/request/request_gate.h"

namespace orlop {

Result<bool> must_wait(Unit& unit, const Record& subject, Action action, const Id& request) {
  auto* const gate = dynamic_cast<RequestGate*>(unit.settings().external_systems);
  return gate == nullptr ? Result<bool>(false) : gate->holds(unit, subject, action, request);
}

}  // namespace orlop
