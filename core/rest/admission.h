// Admission: external systems allow or deny a change before it is made. They see the change but cannot alter it.
#pragma once

#include <optional>
#include <string_view>

#include "base/port.h"
#include "base/result.h"
#include "rest/route.h"
#include "unit/operation.h"

namespace orlop {

// Makes the input of the question `admit`. `unit`: the unit in which the change was tried. `subject`: the last resource
// of the path, or null. Leaves out the secrets of the body.
Result<Value> admission_input(Unit& unit, const Route& route, const Call& call, std::string_view path,
                              const Shared<Record>& subject);

// Asks the external systems to admit the change. Call it while no transaction is open. Errors: forbidden with their
// reason if they deny it; external_failed, external_timeout.
Result<void> require_admission(ExternalSystems& systems, const Value& input);

}  // namespace orlop
