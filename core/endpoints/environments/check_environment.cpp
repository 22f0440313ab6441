// Check of the variables of an environment's services, before a deployment.
#include <string>
#include <utility>
#include <vector>

#include "deploy/driver/step_variables.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::check_environment {
namespace {

constexpr std::string_view levels[] = {"ERROR", "WARNING"};

Result<Answer> check_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(services, services_below(unit, environment.id));
  SharedVariables shared;
  ORLOP_TRY(is_large, is_large_environment(unit, environment.id));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& service : services) {
    ORLOP_TRY(problems, find_variable_problems(unit, service, {&shared, is_large}));
    for (const VariableProblem& problem : problems) {
      out.begin_object()
          .field("service_id", service.id)
          .field("service_type", find_family(service.family)->service_kind);
      out.field("service_name", name_of(service))
          .field("level", levels[problem.fails_step ? 0 : 1])
          .field("message", problem.message)
          .end_object();
    }
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field problem_fields[] = {
    uuid("service_id", "ID of the service.").required(),
    enumeration("service_type", service_kind_names, "Kind of the service.").required(),
    text("service_name", "Name of the service.").required(),
    enumeration("level", levels,
                "`ERROR`: the next deployment of the service fails. `WARNING`: it is deployed as it is.")
        .required(),
    text("message", "The variable, and what is wrong with it.").required(),
};
constexpr Shape problem_shape = {.name = "EnvironmentProblem", .fields = problem_fields};

constexpr Operation operations[] = {{
    .path = "{flat}/check",
    .name = "check_{family}",
    .handle = check_environment,
    .form = AnswerForm::shape_list,
    .answer = &problem_shape,
    .summary = "Check the variables of an environment",
    .about = "Resolves the variables of each service as its next step would: references in a cycle, references to "
             "built-in variables that do not exist, and "
             "references to keys that the service has no variable of, which stay as they are. Outputs of jobs are not "
             "known and count as missing.",
}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::environments::check_environment
