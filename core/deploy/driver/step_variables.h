// The variables of a step: what the service sees, resolved.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "deploy/driver/secret_values.h"
#include "model/value.h"
#include "records/variables/visible_variables.h"
#include "resolution/resolve.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// The built-ins of other services are handed over in environments of at most so many services: all of them would be the
// square of the services. In a larger environment aliases of them and references to them are still resolved.
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
  // A text that the unit keeps under the project's id, and forgets when it changes a record.
  std::shared_ptr<const std::string> mark_;
  VariableOwners owners_;
  std::array<std::shared_ptr<const VisibleVariables>, 2> visible_;  // with each of Siblings
};

// How the variables of a step are made. Without `shared` they are left out.
struct StepVariables {
  SharedVariables* shared = nullptr;
  bool is_large = false;                        // the environment has more services than sibling_services_max
  std::vector<std::string>* remarks = nullptr;  // takes a sentence for each reference that stays as it is
};

Result<bool> is_large_environment(Unit& unit, const Id& environment);

// What a service sees, resolved.
class StepValues {
 public:
  StepValues();
  StepValues(StepValues&&) noexcept;
  StepValues& operator=(StepValues&&) noexcept;
  ~StepValues();

  // nullptr: the service has no such variable.
  const std::string* find(std::string_view key) const;
  const Resolution& resolution() const;
  // Writes the member "variables", a list of {"key", "value", "is_secret", "mount_path"} ascending by key;
  // "secret_manager_access_id" is added for an external secret, whose value is the name of the secret.
  void write(Writer& out) const;
  // The values of secrets, also of those that are only part of another value, and those that are missing.
  void add_secrets(SecretValues& secrets) const;
  // Makes their values empty. External secrets keep theirs, which are names.
  void leave_out_secrets();

 private:
  friend Result<std::optional<StepValues>> resolve_step(Unit&, const Record&, const Value&, const StepVariables&);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Nothing: the kind of service has no variables, or they are left out. `outputs`: of the jobs of earlier stages; they
// are nearest of all. A member is a text, or an object with "value" and "sensitive"; anything else is handed over as
// JSON text. Error invalid: references in a cycle, or values without bound; the message names the service.
Result<std::optional<StepValues>> resolve_step(Unit& unit, const Record& service, const Value& outputs,
                                               const StepVariables& variables);

// Error invalid: a reference to a built-in variable that the service does not see. Other unknown references are
// remarks.
Result<void> check_references(const Record& service, const StepValues& values, const StepVariables& variables);

// The errors and remarks of both, for a step whose driver does not read its configuration.
Result<void> check_variables(Unit& unit, const Record& service, const Value& outputs, const StepVariables& variables);
// Those of these services of an environment whose steps may refer to variables, as they see one that is no built-in, in
// one call of the store. Helm services, whose values may take in variables, do so always.
Result<std::unordered_set<Id>> with_set_variables(Unit& unit, const Id& environment, std::span<const Id> services);

struct VariableProblem {
  std::string message;
  bool fails_step = false;  // false: the reference stays as it is
};
// All errors and remarks that a step of the service would have now; outputs of jobs are not known.
Result<std::vector<VariableProblem>> find_variable_problems(Unit& unit, const Record& service,
                                                            const StepVariables& variables);

}  // namespace orlop
