// The environments of an organization and of a cluster.
#include <span>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::overviews::environments {
namespace {

void write_reference(Writer& out, std::string_view name, const Id& id) {
  out.key(name).begin_object().field("id", id).end_object();
}

Result<Answer> list_of_organization(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  ORLOP_TRY(projects, visible_children(unit, call, organization.id, "project"));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& project : projects) {
    ORLOP_TRY(environments, visible_children(unit, call, project.id, "environment"));
    for (const Record& environment : environments) {
      constexpr std::string_view names[] = {"created_at", "updated_at", "name", "mode"};
      out.begin_object().field("id", environment.id);
      ORLOP_CHECK(write_texts(unit, environment, std::span(names).first(3), out));
      write_reference(out, "organization", organization.id);
      write_reference(out, "project", project.id);
      ORLOP_CHECK(write_texts(unit, environment, std::span(names).last(1), out));
      out.end_object();
    }
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> list_of_cluster(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, require(unit, *find_family("cluster"), call.ids.front()));
  ORLOP_TRY(environments, visible_referrers(unit, call, cluster.id, "environment"));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& environment : environments) {
    out.begin_object();
    ORLOP_CHECK(write_environment_place(unit, environment.id, out));
    out.key("services").begin_list();
    ORLOP_TRY(services, services_below(unit, environment.id));
    for (const Record& service : services) {
      out.begin_object()
          .field("id", service.id)
          .field("name", name_of(service))
          .field("type", find_family(service.family)->service_kind)
          .end_object();
    }
    out.end_list().end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field reference_fields[] = {uuid("id", "ID of the resource.").required()};
constexpr Shape reference_shape = {.name = "ReferenceObject", .fields = reference_fields};
constexpr std::string_view modes[] = {"DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"};
constexpr Field environment_fields[] = {
    uuid("id", "ID of the environment.").required(),
    date_time("created_at", "Time of creation, in UTC.").required(),
    date_time("updated_at", "Time of the last change, in UTC.").required(),
    text("name", "Name of the environment.").required(),
    object("organization", reference_shape, "Organization of the environment.").required(),
    object("project", reference_shape, "Project of the environment.").required(),
    enumeration("mode", modes, "Mode of the environment.").required(),
};
constexpr Shape environment_shape = {.name = "OrganizationEnvironmentResponse", .fields = environment_fields};

constexpr Field service_fields[] = {
    uuid("id", "ID of the service.").required(),
    text("name", "Name of the service.").required(),
    enumeration("type", service_kind_names, "Kind of the service.").required(),
};
constexpr Shape service_shape = {.name = "ClusterEnvironmentServiceResponse", .fields = service_fields};
constexpr Field place_fields[] = {
    uuid("environment_id", "ID of the environment.").required(),
    text("environment_name", "Name of the environment.").required(),
    uuid("project_id", "ID of the project.").required(),
    text("project_name", "Name of the project.").required(),
    list_of("services", service_shape, "Services of the environment.").required(),
};
constexpr Shape place_shape = {.name = "ClusterEnvironmentResponse", .fields = place_fields};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/environments",
     .name = "list_organization_environments",
     .handle = list_of_organization,
     .form = AnswerForm::shape_list,
     .answer = &environment_shape,
     .summary = "List the environments of an organization",
     .about = "Environments of all projects that the caller may see, in the order of projects."},
    {.path = "/cluster/{clusterId}/environments",
     .name = "list_cluster_environments",
     .handle = list_of_cluster,
     .form = AnswerForm::shape_list,
     .answer = &place_shape,
     .summary = "List the environments on a cluster with their services",
     .about = "Environments that the cluster deletes or keeps with it, each with its project and services."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::overviews::environments
