// The variables of a step: those that the service sees, resolved.
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

// The configuration has the built-ins of other services only in environments of at most this many services: their
// number grows with the square. In a larger one, aliases of them and references to them are still resolved.
inline constexpr std::size_t sibling_services_max = 200;

// Variables that all services of an environment see, read once in a unit for all steps that begin in it.
class SharedVariables {
 public:
  // Returns those of the environment; reads them again in another unit, and once the unit has changed a record.
  Result<std::shared_ptr<const VisibleVariables>> of(Unit& unit, const Id& environment, Siblings siblings);

 private:
  bool is_current(const Unit& unit, const Id& environment) const;
  Result<void> turn_to(Unit& unit, const Id& environment);

  Id environment_;
  // Text that the unit keeps under the project's id, and drops when it changes a record.
  std::shared_ptr<const std::string> mark_;
  VariableOwners owners_;
  std::array<std::shared_ptr<const VisibleVariables>, 2> visible_;  // one for each of Siblings
};

// Parameters of a step's variables. Without `shared` the variables are left out.
struct StepVariables {
  SharedVariables* shared = nullptr;
  bool is_large = false;                        // the environment has more services than sibling_services_max
  std::vector<std::string>* remarks = nullptr;  // gets a sentence for each reference that is not replaced
};

Result<bool> is_large_environment(Unit& unit, const Id& environment);

// Resolved variables that a service sees.
class StepValues {
 public:
  StepValues();
  StepValues(StepValues&&) noexcept;
  StepValues& operator=(StepValues&&) noexcept;
  ~StepValues();

  // Null if the service has no such variable.
  const std::string* find(std::string_view key) const;
  const Resolution& resolution() const;
  // Writes the member "variables", a list of {"key", "value", "is_secret", "mount_path"} ascending by key;
  // "secret_manager_access_id" is added for an external secret, whose value is the name of the secret.
  void write(Writer& out) const;
  // Adds the values of secrets, also of those that are part of another value, and notes missing ones.
  void add_secrets(SecretValues& secrets) const;
  // Empties the values of secrets. External secrets keep theirs, which are names.
  void leave_out_secrets();

 private:
  friend Result<std::optional<StepValues>> resolve_step(Unit&, const Record&, const Value&, const StepVariables&);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Resolves the variables of a service; nullopt if its kind has none, or they are left out. `outputs`: of the jobs of
// earlier stages; they override all variables. A member is a text, or an object with "value" and "sensitive"; anything
// else becomes JSON text. Error invalid: references in a cycle, or values too large; the message names the service.
Result<std::optional<StepValues>> resolve_step(Unit& unit, const Record& service, const Value& outputs,
                                               const StepVariables& variables);

// Error invalid: a reference to a built-in variable that the service does not see. Adds remarks on other unknown
// references.
Result<void> check_references(const Record& service, const StepValues& values, const StepVariables& variables);

// Errors and remarks of resolve_step(), check_references() and Helm values, for a driver that reads no configuration.
Result<void> check_variables(Unit& unit, const Record& service, const Value& outputs, const StepVariables& variables);
// Returns the services of an environment that see a variable other than built-ins, with one call of the store: only
// their steps may refer to variables, and those of Helm services, whose values may do so always.
Result<std::unordered_set<Id>> with_set_variables(Unit& unit, const Id& environment, std::span<const Id> services);

struct VariableProblem {
  std::string message;
  bool fails_step = false;  // if not, the reference stays as it is
};
// Returns all errors and remarks that a step of the service would have now, without outputs of jobs.
Result<std::vector<VariableProblem>> find_variable_problems(Unit& unit, const Record& service,
                                                            const StepVariables& variables);

}  // namespace orlop
