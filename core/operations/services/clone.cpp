// The traits `clonable_service` and `clonable_environment`.
#include <string>
#include <utility>

#include "model/registry.h"
#include "ops/verbs.h"
#include "operations/environments/clone_environment.h"
#include "operations/operations.h"
#include "operations/services/request_shapes.h"
#include "operations/services/subject.h"

namespace orlop {
namespace {

std::optional<Id> id_in(const Value& body, std::string_view name) { return parse_id(body.text_or(name, "")); }

// Where a copy goes must belong to the same organization; that of another one is not known to exist.
Result<Record> require_near(Unit& unit, std::string_view family, const Id& id, const Id& organization) {
  ORLOP_TRY(record, require(unit, *find_family(family), id));
  if (record.organization != organization) return not_found(family, id);
  return std::move(record);
}

Result<Answer> clone_service(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  const Id target = id_in(*call.body, "environment_id").value_or(Id{});
  ORLOP_TRY(environment, require_near(unit, "environment", target, subject.record.organization));
  ORLOP_TRY(request, as_request(*call.family, subject.record));
  request.set("name", *call.body->find("name"));
  ORLOP_TRY(copy, create_record(unit, *call.family, environment.id, request));
  ORLOP_TRY(text, render(unit, *call.family, copy));
  return Answer{202, std::move(text)};
}

Result<Answer> clone_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(source, require(unit, *call.family, call.ids.front()));
  CloneOptions options;
  options.name = call.body->text_or("name", "");
  options.mode = call.body->text_or("mode", "");
  options.project = id_in(*call.body, "project_id");
  options.cluster = id_in(*call.body, "cluster_id");
  if (options.mode == "PREVIEW") return invalid_field("mode", "must be DEVELOPMENT, PRODUCTION or STAGING, not \"PREVIEW\"");
  if (options.project) {
    if (auto near = require_near(unit, "project", *options.project, source.organization); !near) return std::move(near).error();
  }
  ORLOP_TRY(copy, copy_environment(unit, source, options));
  ORLOP_TRY(text, render(unit, *call.family, copy.environment));
  return Answer{202, std::move(text)};
}

constexpr Operation service_clone[] = {{
    .method = Method::post,
    .path = "{flat}/clone",
    .name = "clone_{family}",
    .status = 202,
    .access = Access::write,
    .handle = clone_service,
    .body = &trait_shapes::clone_service,
    .is_body_required = true,
    .form = AnswerForm::record,
    .about = "Creates a service with the same configuration in an environment; custom domains are not copied.",
}};

constexpr Operation environment_clone[] = {{
    .method = Method::post,
    .path = "{flat}/clone",
    .name = "clone_{family}",
    .status = 202,
    .access = Access::write,
    .handle = clone_environment,
    .body = &trait_shapes::clone_environment,
    .is_body_required = true,
    .form = AnswerForm::record,
    .about = "Creates an environment with the same services in the same stages; data and domains are not copied.",
}};

}  // namespace

std::span<const Operation> clone_service_operations() { return service_clone; }
std::span<const Operation> clone_environment_operations() { return environment_clone; }

}  // namespace orlop
