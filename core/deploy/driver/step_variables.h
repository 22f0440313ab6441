// The variables of a step: what the service sees, resolved.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "model/value.h"
#include "ops/unit/unit.h"
#include "ops/variables/visible.h"
#include "wire/writer.h"

namespace orlop {

// The built-ins of other services are handed over in environments of at most so many services: all of them would be the square of the services.
// In a larger environment aliases of them and references to them are still resolved.
inline constexpr std::size_t sibling_services_max = 200;

// What the services of an environment see alike is read once in a unit, for all steps that begin in it.
class SharedVariables {
 public:
  // Of the environment; read again in another unit, and once the unit has changed a record.
  Result<std::shared_ptr<const VisibleVariables>> of(Unit& unit, const Id& environment, Siblings siblings);

 private:
  bool is_current(const Unit& unit, const Id& environment) const;
  Result<void> turn_to(Unit& unit, const Id& environment);

  Id environment_;
  std::shared_ptr<const std::string> mark_;  // a text that the unit keeps under the project's id, and forgets when it changes a record
  VariableOwners owners_;
  std::array<std::shared_ptr<const VisibleVariables>, 2> visible_;  // with each of Siblings
};

// How the variables of a step are made. Without `shared` they are left out.
struct StepVariables {
  SharedVariables* shared = nullptr;
  bool is_large = false;  // the environment has more services than sibling_services_max
};

Result<bool> is_large_environment(Unit& unit, const Id& environment);

// Writes the member "variables", a list of {"key", "value", "is_secret", "mount_path"} ascending by key; "secret_manager_access_id" is added for an
// external secret, whose value is the name of the secret. Nothing is written for a kind of service that has no variables.
// `outputs`: of the jobs of earlier stages; they are nearest of all. A member is a text, or an object with "value" and "sensitive"; anything else is
// handed over as JSON text.
// Error invalid: references in a cycle, or values without bound; the message names the service.
Result<void> write_variables(Unit& unit, const Record& service, const Value& outputs, const StepVariables& variables, Writer& out);

}  // namespace orlop
