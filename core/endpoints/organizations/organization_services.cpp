#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/enumerations.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop::operation_sets::organizations::organization_services {
namespace {

struct Project {
  std::string id;
  std::string name;
};
using Projects = std::unordered_map<Id, Project>;

struct Environment {
  std::string id;
  std::string name;
  std::string cluster;  // id of its cluster; "" for none
};

std::optional<Id> cluster_of(const Record& environment) {
  const std::string_view raw = raw_member(environment.body, "cluster_id");
  return raw.size() < 2 ? std::nullopt : parse_id(raw.substr(1, raw.size() - 2));
}

// Reports whether the query lacks the parameter, or has this id.
bool is_asked_for(const Call& call, std::string_view name, const std::optional<Id>& id) {
  const std::string_view asked = query_text(call, name);
  return asked.empty() || (id && parse_id(asked) == id);
}

// Returns the environments in the narrowest of the scopes in the query.
Result<std::vector<Record>> candidates(Unit& unit, const Call& call, const Id& organization) {
  if (const std::string_view asked = query_text(call, "environment_id"); !asked.empty()) {
    ORLOP_TRY(found, unit.record(parse_id(asked).value_or(Id{})));
    return found ? std::vector<Record>{*found} : std::vector<Record>();
  }
  if (const std::string_view asked = query_text(call, "project_id"); !asked.empty())
    return visible_children(unit, call, parse_id(asked).value_or(Id{}), "environment");
  if (const std::string_view asked = query_text(call, "cluster_id"); !asked.empty())
    return visible_referrers(unit, call, parse_id(asked).value_or(Id{}), "environment");
  ORLOP_TRY(projects, visible_children(unit, call, organization, "project"));
  std::vector<Record> environments;
  for (const Record& project : projects) {
    ORLOP_TRY(below, visible_children(unit, call, project.id, "environment"));
    std::ranges::move(below, std::back_inserter(environments));
  }
  return environments;
}

// Returns the projects of these environments visible to the caller.
Result<Projects> projects_of(Unit& unit, const Call& call, const std::vector<Record>& environments) {
  std::vector<Record> records;
  Id last;
  for (const Record& environment : environments) {
    if (environment.parent == last) continue;
    last = environment.parent;
    ORLOP_TRY(project, unit.record(last));
    if (project) records.push_back(*project);
  }
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(records));
  Projects projects;
  for (const Record& project : records) projects.emplace(project.id, Project{to_text(project.id), name_of(project)});
  return projects;
}

// Returns the environments that match the query, by ascending ids of project and environment.
Result<std::vector<Record>> environments_asked_for(Unit& unit, const Call& call, const Id& organization) {
  static const FamilyNumber environment_number = find_family("environment")->number;
  ORLOP_TRY(environments, candidates(unit, call, organization));
  std::erase_if(environments, [&](const Record& environment) {
    return environment.family != environment_number || environment.organization != organization ||
           !is_asked_for(call, "environment_id", environment.id) ||
           !is_asked_for(call, "project_id", environment.parent) ||
           !is_asked_for(call, "cluster_id", cluster_of(environment));
  });
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(environments));
  std::ranges::sort(environments, {},
                    [](const Record& environment) { return std::pair(environment.parent, environment.id); });
  return std::move(environments);
}

Result<void> write_light(Unit& unit, const Record& service, const Project& project, const Environment& environment,
                         Writer& out) {
  constexpr std::string_view names[] = {"name", "description", "icon_uri"};
  constexpr std::string_view job_names[] = {"job_type"};
  const Family& family = *find_family(service.family);
  out.begin_object().field("id", service.id);
  ORLOP_CHECK(write_texts(unit, service, names, out));
  out.field("service_type", family.service_kind).field("project_id", project.id).field("project_name", project.name);
  out.field("environment_id", environment.id)
      .field("environment_name", environment.name)
      .field("cluster_id", environment.cluster);
  if (family.service_kind == "JOB") ORLOP_CHECK(write_texts(unit, service, job_names, out));
  out.end_object();
  return {};
}

Result<void> write_services(Unit& unit, const Record& environment, const Project& project, Writer& out) {
  std::vector<Id> services;
  ORLOP_CHECK(unit.visit_states(environment.id, [&services](const Machine& machine) {
    if (is_service(machine.family)) services.push_back(machine.id);
  }));
  std::ranges::sort(services);
  ORLOP_CHECK(unit.load(services));
  const auto cluster = cluster_of(environment);
  const Environment shown = {to_text(environment.id), name_of(environment),
                             cluster ? to_text(*cluster) : std::string()};
  for (const Id& id : services) {
    ORLOP_TRY(service, unit.record(id));
    if (service) ORLOP_CHECK(write_light(unit, *service, project, shown, out));
  }
  return {};
}

// The cost depends on the answer only: other records of an environment are not read, and stored texts are not parsed.
Result<Answer> list_organization_services(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *call.family, call.ids.front()));
  ORLOP_TRY(environments, environments_asked_for(unit, call, organization.id));
  ORLOP_TRY(projects, projects_of(unit, call, environments));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& environment : environments) {
    const auto project = projects.find(environment.parent);
    if (project != projects.end()) ORLOP_CHECK(write_services(unit, environment, project->second, out));
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
    {.path = "{flat}/services",
     .name = "list_organization_services",
     .handle = list_organization_services,
     .query = organization_query,
     .form = AnswerForm::shape_list,
     .answer = &light_shape,
     .summary = "List the services of an organization",
     .about = "Services of all environments that the caller may see, in short; the query selects those of a project, "
              "an environment or a cluster."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("organization"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::organizations::organization_services
