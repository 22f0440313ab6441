// The variables of a step: what the service sees, resolved.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "model/value.h"
#include "ops/unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// The built-ins of other services are handed over in environments of at most so many services: all of them would be the square of the services.
// In a larger environment aliases of them and references to them are still resolved.
inline constexpr std::size_t sibling_services_max = 200;

// Writes the member "variables", a list of {"key", "value", "is_secret", "mount_path"} ascending by key; "secret_manager_access_id" is added for an
// external secret, whose value is the name of the secret. Nothing is written for a kind of service that has no variables.
// `outputs`: of the jobs of earlier stages; they are nearest of all. A member is a text, or an object with "value" and "sensitive"; anything else is
// handed over as JSON text.
// Error invalid: references in a cycle, or values without bound; the message names the service.
Result<void> write_variables(Unit& unit, const Record& service, const Value& outputs, Writer& out);

}  // namespace orlop
