// The services of an organization.
#include <string>
#include <utility>
#include <vector>

#include "model/enumerations.h"
#include "model/registry.h"
#include "operations/operation_set.h"
#include "operations/services/parts/links.h"
#include "operations/services/parts/subject.h"
#include "ops/access/permission.h"
#include "ops/verbs.h"
#include "wire/writer.h"

namespace orlop::operation_sets::organizations::services {
namespace {

struct Places {
  std::string project_id, project_name, environment_id, environment_name, cluster_id;
};

void write_light(Writer& out, const Record& record, const Family& family, const Value& service, const Places& places) {
  out.begin_object().field("id", record.id).field("name", service.text_or("name", ""));
  out.field("description", service.text_or("description", "")).field("icon_uri", service.text_or("icon_uri", ""));
  out.field("service_type", family.service_kind).field("project_id", places.project_id).field("project_name", places.project_name);
  out.field("environment_id", places.environment_id).field("environment_name", places.environment_name).field("cluster_id", places.cluster_id);
  if (family.service_kind == "JOB") out.field("job_type", service.text_or("job_type", "LIFECYCLE"));
  out.end_object();
}

bool is_asked_for(const Call& call, std::string_view name, std::string_view id) {
  const std::string_view asked = query_text(call, name);
  return asked.empty() || parse_id(asked) == parse_id(id);
}

Result<std::vector<Record>> children(Unit& unit, const Call& call, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  ORLOP_TRY(records, unit.records(range));
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(records));
  return std::move(records);
}

Result<void> write_environment(Unit& unit, const Call& call, const Record& environment, Places places, Writer& out) {
  ORLOP_TRY(value, unit.value_of(environment));
  places.environment_id = to_text(environment.id);
  places.environment_name = value->text_or("name", "");
  places.cluster_id = value->text_or("cluster_id", "");
  if (!is_asked_for(call, "environment_id", places.environment_id) || !is_asked_for(call, "cluster_id", places.cluster_id)) return {};
  ORLOP_TRY(services, services_below(unit, environment.id));
  for (const Record& service : services) {
    ORLOP_TRY(body, unit.value_of(service));
    write_light(out, service, *find_family(service.family), *body, places);
  }
  return {};
}

Result<Answer> list_organization_services(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *call.family, call.ids.front()));
  ORLOP_TRY(projects, children(unit, call, organization.id, "project"));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& project : projects) {
    if (!is_asked_for(call, "project_id", to_text(project.id))) continue;
    ORLOP_TRY(value, unit.value_of(project));
    Places places;
    places.project_id = to_text(project.id);
    places.project_name = value->text_or("name", "");
    ORLOP_TRY(environments, children(unit, call, project.id, "environment"));
    for (const Record& environment : environments) ORLOP_CHECK(write_environment(unit, call, environment, places, out));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field light_fields[] = {
    uuid("id", "ID of the service.").required(),
    text("name", "Name of the service.").required(),
    text("description", "Free text that describes the service.").required(),
    text("icon_uri", "URL of the icon of the service.").required(),
    enumeration("service_type", service_kind_names, "Kind of the service.").required(),
    uuid("project_id", "ID of the project.").required(),
    text("project_name", "Name of the project.").required(),
    uuid("environment_id", "ID of the environment.").required(),
    text("environment_name", "Name of the environment.").required(),
    uuid("cluster_id", "ID of the cluster on which the environment runs.").required(),
    enumeration("job_type", shapes::job_types, "Kind of a job."),
};
constexpr Shape light_shape = {.name = "ServiceLightResponse", .fields = light_fields};

constexpr Field organization_query[] = {
    text("project_id", "Return only the services of this project."),
    text("environment_id", "Return only the services of this environment."),
    text("cluster_id", "Return only the services on this cluster."),
};

constexpr Operation operations[] = {
    {.path = "{flat}/services", .name = "list_organization_services", .handle = list_organization_services, .query = organization_query,
     .form = AnswerForm::shape_list, .answer = &light_shape, .summary = "List the services of an organization"},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("organization"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::organizations::services
