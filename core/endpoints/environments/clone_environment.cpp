#include <string>
#include <utility>

#include "endpoints/environments/parts/copy_environment.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::environments::clone_environment {
namespace {

Result<std::string> rendered(Unit& unit, const Id& environment) {
  const Family& family = *find_family("environment");
  ORLOP_TRY(record, require(unit, family, environment));
  return render(unit, family, record);
}

Result<Answer> clone_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(source, require(unit, *call.family, call.ids.front()));
  CloneOptions options;
  options.name = call.body->text_or("name", "");
  options.mode = call.body->text_or("mode", "");
  options.project = id_in(*call.body, "project_id");
  options.cluster = id_in(*call.body, "cluster_id");
  if (options.mode == "PREVIEW")
    return invalid_field("mode", "must be DEVELOPMENT, PRODUCTION or STAGING, not \"PREVIEW\"");
  if (options.project) {
    if (auto near = require_near(unit, "project", *options.project, source.organization); !near)
      return std::move(near).error();
  }
  ORLOP_TRY(copy, copy_environment(unit, source, options));
  unit.wait_for(copy.job);
  Answer answer{202, {}};
  if (copy.job.is_nil()) {
    ORLOP_TRY(text, rendered(unit, copy.environment.id));
    answer.body = std::move(text);
  } else {
    answer.render = [id = copy.environment.id](Unit& later) { return rendered(later, id); };
  }
  return answer;
}

constexpr Operation operations[] = {{
    .method = Method::post,
    .path = "{flat}/clone",
    .name = "clone_{family}",
    .status = 202,
    .access = Access::write,
    .handle = clone_environment,
    .body = &operation_shapes::clone_environment,
    .is_body_required = true,
    .form = AnswerForm::record,
    .summary = "Clone an environment",
    .about = "Creates an environment with the same services in the same stages, and with their variables. Data and "
             "custom domains are not copied; "
             "nothing is deployed. References to the services, also inside of texts, name the copies. "
             "`metadata.aliases_not_copied` lists aliases whose "
             "target is not copied. 409: the name is taken.",
}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
    .python_class = "ClonableEnvironment",
};

}  // namespace orlop::operation_sets::environments::clone_environment
