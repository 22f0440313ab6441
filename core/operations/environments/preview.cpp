// Environments that show what another tag of an image would do.
#include <string>
#include <utility>
#include <vector>

#include "deploy/request/request.h"
#include "model/registry.h"
#include "ops/name.h"
#include "ops/verbs.h"
#include "operations/environments/parts/clone_environment.h"
#include "operations/services/parts/deploy_body.h"
#include "operations/operation_set.h"
#include "operations/services/parts/request_shapes.h"
#include "operations/services/parts/status.h"
#include "operations/services/parts/status_shapes.h"
#include "operations/services/parts/subject.h"
#include "wire/json.h"

namespace orlop {
namespace {

Result<std::vector<Record>> children_of(Unit& unit, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  return unit.records(range);
}

// A preview is not previewed: each tag would double the environments.
Result<bool> is_preview(const Record& environment) {
  ORLOP_TRY(body, parse_stored(environment.body));
  return body.text_or("mode", "") == "PREVIEW";
}

// The containers of an environment that the image's new tag concerns.
Result<std::vector<Id>> concerned(Unit& unit, const Id& environment, std::string_view image, std::string_view tag) {
  ORLOP_TRY(containers, children_of(unit, environment, "container"));
  std::vector<Id> found;
  for (const Record& container : containers) {
    ORLOP_TRY(body, parse_stored(container.body));
    const bool fits =
        body.text_or("image_name", "") == image && body.text_or("tag", "") != tag && body.boolean_or("auto_preview", false);
    if (fits) found.push_back(container.id);
  }
  return found;
}

// "<environment>-preview-<tag>", with a number after it if that is taken.
Result<std::string> free_name(Unit& unit, const Record& environment, std::string_view tag) {
  const Family& family = *find_family("environment");
  std::string wanted = name_of(environment) + "-preview-" + std::string(tag);
  if (wanted.size() > name_size_max - 8) wanted.resize(name_size_max - 8);
  std::string name = wanted;
  for (int number = 2;; ++number) {
    ORLOP_TRY(taken, unit.find(name_key(family, environment.parent, environment.organization, name)));
    if (!taken) return name;
    name = wanted + "-" + std::to_string(number);
  }
}

// Clones the environment, gives the copies of `containers` the tag, deploys; answers the first copy.
Result<Id> preview(Unit& unit, const Call& call, const Record& environment, const std::vector<Id>& containers) {
  const std::string_view tag = call.body->text_or("tag", "");
  ORLOP_TRY(name, free_name(unit, environment, tag));
  CloneOptions options;
  options.name = name;
  options.mode = "PREVIEW";
  options.at_once = true;  // it is deployed in this unit
  ORLOP_TRY(copy, copy_environment(unit, environment, options));
  Value deploy_body;
  deploy_body.set("image_tag", Value(tag));
  for (const Id& container : containers) {
    ORLOP_TRY(record, require(unit, *call.family, copy.services.at(container)));
    if (auto edited = apply_deploy_body(unit, *call.family, record, deploy_body); !edited) return std::move(edited).error();
  }
  Order order;
  order.environment = copy.environment.id;
  order.whole_environment = true;
  order.author = std::string(call.author);
  if (auto placed = enqueue(unit, order); !placed) return std::move(placed).error();
  return copy.services.at(containers.front());
}

Result<Answer> preview_all(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  const std::string image(call.body->text_or("image_name", ""));
  const std::string tag(call.body->text_or("tag", ""));
  Id first;
  ORLOP_TRY(projects, children_of(unit, organization.id, "project"));
  for (const Record& project : projects) {
    ORLOP_TRY(environments, children_of(unit, project.id, "environment"));
    for (const Record& environment : environments) {
      ORLOP_TRY(is_itself_one, is_preview(environment));
      if (is_itself_one) continue;
      ORLOP_TRY(containers, concerned(unit, environment.id, image, tag));
      if (containers.empty()) continue;
      ORLOP_TRY(copy, preview(unit, call, environment, containers));
      if (first.is_nil()) first = copy;
    }
  }
  if (first.is_nil()) {
    return make_error(ErrorCode::not_found,
                      "no container with automatic preview has the image " + image + " with another tag than " + tag);
  }
  ORLOP_TRY(text, service_status(unit, first));
  return Answer{202, std::move(text)};
}

constexpr Operation operations[] = {{
    .method = Method::post,
    .path = "/organization/{organizationId}/container/preview",
    .name = "preview_{family}_environments",
    .status = 202,
    .access = Access::write,
    .handle = preview_all,
    .body = &operation_shapes::preview,
    .is_body_required = true,
    .form = AnswerForm::shape,
    .answer = &operation_shapes::status,
    .summary = "Create preview environments for an image tag",
    .about = "Clones the environment of each container that runs the image and has `auto_preview` set, sets the new tag, "
             "and queues a deployment of the clone.",
    .need = Level::operate,
}};

}  // namespace

namespace operation_sets::environments {
extern const OperationSet preview;
constexpr OperationSet preview = {
    .families = families_named("container"),
    .operations = operations,
    .python_class = "Previewable",
};
}  // namespace operation_sets::environments

}  // namespace orlop
