// The services that use a container registry, a Helm repository or a git token.
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "model/registry.h"
#include "records/path.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::overviews::associated_services {
namespace {

Result<Answer> list_services(Unit& unit, const Call& call) {
  ORLOP_TRY(used, record_on_path(unit, call));
  ORLOP_TRY(users, visible_referrers(unit, call, used.id, ""));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& user : users) {
    if (!is_service(user.family)) continue;
    ORLOP_TRY(type, service_type_of(unit, user));
    out.begin_object();
    ORLOP_CHECK(write_environment_place(unit, user.parent, out));
    out.field("service_id", user.id).field("service_name", name_of(user)).field("service_type", type).end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view service_types[] = {"APPLICATION", "CONTAINER", "CRON", "LIFECYCLE", "HELM", "TERRAFORM"};
constexpr Field service_fields[] = {
    uuid("project_id", "ID of the project.").required(),
    text("project_name", "Name of the project.").required(),
    uuid("environment_id", "ID of the environment.").required(),
    text("environment_name", "Name of the environment.").required(),
    uuid("service_id", "ID of the service.").required(),
    text("service_name", "Name of the service.").required(),
    enumeration("service_type", service_types, "Kind of the service; a job is a `CRON` or a `LIFECYCLE`.").required(),
};
constexpr Shape service_shape = {.name = "AssociatedServiceResponse", .fields = service_fields};

constexpr Operation operations[] = {
    {.path = "{item}/associatedServices",
     .name = "list_{family}_associated_services",
     .handle = list_services,
     .form = AnswerForm::shape_list,
     .answer = &service_shape,
     .summary = "List the services that use {one}",
     .about = "While there are any, it cannot be deleted. Services that the caller may not see are left out."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("container_registry", "helm_repository", "git_token"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::overviews::associated_services
