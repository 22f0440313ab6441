// Admission: external systems allow or deny a change before it is made. They see what the change would be, and cannot
// alter it.
#pragma once

#include <optional>
#include <string_view>

#include "base/port.h"
#include "base/result.h"
#include "rest/route.h"
#include "unit/operation.h"

namespace orlop {

// What the question `admit` is asked with. `unit`: the unit that the change was tried in. `subject`: the last resource
// of the path, if there is one. Secrets that the body holds are left out.
Result<Value> admission_input(Unit& unit, const Route& route, const Call& call, std::string_view path,
                              const Shared<Record>& subject);

// Error forbidden, with the reason of the external systems, if they deny the change; external_failed and
// external_timeout if they do not decide. To be called while no transaction is open.
Result<void> require_admission(ExternalSystems& systems, const Value& input);

}  // namespace orlop
