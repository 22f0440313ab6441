// Numbers of environments and services, and their states.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/enumerations.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::overviews::statistics {
namespace {

// Number of services of an environment, and of those that a controller outside of the platform deploys.
struct Services {
  std::int64_t all = 0;
  std::int64_t external = 0;
};

Result<Services> count_services(Unit& unit, const Id& environment) {
  Services services;
  ORLOP_CHECK(unit.visit_states(environment, [&services](const Machine& machine) {
    if (!is_service(machine.family)) return;
    ++services.all;
    if (find_family(machine.family)->service_kind == "ARGOCD_APP") ++services.external;
  }));
  return services;
}

Result<Answer> list_project_statistics(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  ORLOP_TRY(projects, visible_children(unit, call, organization.id, "project"));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& project : projects) {
    ORLOP_TRY(environments, visible_children(unit, call, project.id, "environment"));
    std::int64_t count = 0;
    for (const Record& environment : environments) {
      ORLOP_TRY(services, count_services(unit, environment.id));
      count += services.all;
    }
    out.begin_object().field("id", project.id).field("service_total_number", count);
    out.field("environment_total_number", static_cast<std::int64_t>(environments.size())).end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<std::vector<Record>> environments_of_project(Unit& unit, const Call& call) {
  ORLOP_TRY(project, require(unit, *find_family("project"), call.ids.front()));
  return visible_children(unit, call, project.id, "environment");
}

Result<Answer> list_environment_statistics(Unit& unit, const Call& call) {
  ORLOP_TRY(environments, environments_of_project(unit, call));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& environment : environments) {
    ORLOP_TRY(services, count_services(unit, environment.id));
    out.begin_object().field("id", environment.id).field("service_total_number", services.all).end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<void> write_cluster(Unit& unit, const Value& environment, Writer& out) {
  const auto id = id_in(environment, "cluster_id");
  ORLOP_TRY(cluster, unit.record(id.value_or(Id{})));
  if (!cluster) return {};
  ORLOP_TRY(body, unit.value_of(*cluster));
  out.key("cluster").begin_object().field("id", cluster->id).field("name", body->text_or("name", ""));
  out.field("cloud_provider", body->text_or("cloud_provider", "")).field("is_demo", false).end_object();
  return {};
}

std::string manager_of(const Services& services, std::string_view brand) {
  if (services.external == 0) return branded(branded_names::manager, brand);
  return services.external == services.all ? "ARGOCD" : "MIXED";
}

Result<Answer> list_overviews(Unit& unit, const Call& call) {
  ORLOP_TRY(environments, environments_of_project(unit, call));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& environment : environments) {
    ORLOP_TRY(body, unit.value_of(environment));
    out.begin_object().field("id", environment.id);
    for (const std::string_view name : {"created_at", "updated_at", "name", "mode"})
      out.field(name, body->text_or(name, ""));
    ORLOP_CHECK(write_cluster(unit, *body, out));
    ORLOP_TRY(services, count_services(unit, environment.id));
    out.key("services_overview")
        .begin_object()
        .field("service_count", services.all)
        .field("managed_by", manager_of(services, unit.settings().brand))
        .end_object();
    ORLOP_TRY(view, view_environment(unit, environment.id));
    out.key("deployment_status");
    ORLOP_CHECK(write_environment_status(unit, out, view));
    out.end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field project_fields[] = {
    uuid("id", "ID of the project.").required(),
    integer("service_total_number", "Number of services in all environments of the project.").required(),
    integer("environment_total_number", "Number of environments of the project.").required(),
};
constexpr Shape project_shape = {.name = "ProjectStats", .fields = project_fields};
constexpr Field environment_fields[] = {
    uuid("id", "ID of the environment.").required(),
    integer("service_total_number", "Number of services of the environment.").required(),
};
constexpr Shape environment_shape = {.name = "EnvironmentStats", .fields = environment_fields};
constexpr Field cluster_fields[] = {
    uuid("id", "ID of the cluster.").required(),
    text("name", "Name of the cluster.").required(),
    enumeration("cloud_provider", shapes::cloud_vendors, "Cloud provider of the cluster.").required(),
    boolean("is_demo", "Always false; kept for compatibility.").required(),
};
constexpr Shape cluster_shape = {.name = "ClusterOverviewResponse", .fields = cluster_fields};
constexpr std::string_view managers[] = {branded_names::manager, "ARGOCD", "MIXED"};
constexpr Field services_fields[] = {
    integer("service_count", "Number of services of the environment.").required(),
    enumeration("managed_by", managers,
                "Manager of the services: the platform by its brand word in upper case, `ARGOCD`, or `MIXED`.")
        .required(),
};
constexpr Shape services_shape = {.name = "ServicesOverviewResponse", .fields = services_fields};
constexpr Field overview_fields[] = {
    uuid("id", "ID of the environment.").required(),
    date_time("created_at", "Time of creation, in UTC.").required(),
    date_time("updated_at", "Time of the last change, in UTC.").required(),
    text("name", "Name of the environment.").required(),
    enumeration("mode", shapes::environment_modes, "Mode of the environment.").required(),
    object("cluster", cluster_shape, "Cluster on which the environment runs."),
    object("services_overview", services_shape, "Number and management of the services.").required(),
    object("deployment_status", operation_shapes::environment_status, "Deployment status of the environment.")
        .required(),
};
constexpr Shape overview_shape = {.name = "EnvironmentOverviewResponse", .fields = overview_fields};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/project/stats",
     .name = "list_project_statistics",
     .handle = list_project_statistics,
     .form = AnswerForm::shape_list,
     .answer = &project_shape,
     .summary = "List the numbers of environments and services of the projects of an organization",
     .about = "One entry for each project that the caller may see."},
    {.path = "/project/{projectId}/environment/stats",
     .name = "list_environment_statistics",
     .handle = list_environment_statistics,
     .form = AnswerForm::shape_list,
     .answer = &environment_shape,
     .summary = "List the numbers of services of the environments of a project",
     .about = "One entry for each environment that the caller may see."},
    {.path = "/project/{projectId}/environment/overview",
     .name = "list_environment_overviews",
     .handle = list_overviews,
     .form = AnswerForm::shape_list,
     .answer = &overview_shape,
     .summary = "List the environments of a project with their clusters, services and states",
     .about = "What a list of environments shows, in one request."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::overviews::statistics
