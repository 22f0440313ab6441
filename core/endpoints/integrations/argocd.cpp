// Argo CD server of a cluster: configuration, check of the connection, and the applications that it deploys.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/integrations/parts/argocd_sync_state.h"
#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::integrations::argocd {
namespace {

Result<Record> cluster_of(Unit& unit, const Call& call) {
  return require(unit, *find_family("cluster"), call.ids.front());
}

Result<Record> require_config(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, cluster_of(unit, call));
  ORLOP_TRY(config, find_child(unit, cluster.id, call.family->number));
  if (!config) return not_found("Argo CD configuration of cluster", cluster.id);
  return std::move(config).take();
}

// The token is returned as "", since the interface requires the member.
Result<Answer> answer_of(Unit& unit, const Record& config) {
  ORLOP_TRY(body, parse_stored(config.body));
  ORLOP_TRY(sync, sync_machine(unit, config.id));
  const bool was_asked = sync && static_cast<SyncState>(sync->state) != SyncState::never;
  const std::string_view fault = was_asked ? std::string_view(sync->detail->reason) : std::string_view();
  Writer out;
  out.begin_object()
      .field("id", config.id)
      .field("cluster_id", config.parent)
      .field("argocd_url", body.text_or("argocd_url", ""));
  out.field("argocd_token", "");
  out.field("last_checked_at", was_asked ? Value(to_text(sync->changed_at)) : Value());
  out.field("sync_error", fault.empty() ? Value() : Value(fault));
  out.field("created_at", body.text_or("created_at", ""))
      .field("updated_at", body.text_or("updated_at", ""))
      .end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> read_config(Unit& unit, const Call& call) {
  ORLOP_TRY(config, require_config(unit, call));
  return answer_of(unit, config);
}

Result<Answer> save_config(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, cluster_of(unit, call));
  ORLOP_TRY(config, find_child(unit, cluster.id, call.family->number));
  ORLOP_TRY(stored, config ? edit_record(unit, *call.family, std::move(config).take(), *call.body)
                           : create_record(unit, *call.family, cluster.id, *call.body));
  ORLOP_CHECK(begin_sync(unit, cluster.id));
  return answer_of(unit, stored);
}

Result<Answer> delete_config(Unit& unit, const Call& call) {
  ORLOP_TRY(config, require_config(unit, call));
  ORLOP_CHECK(remove_tree(unit, config));
  return Answer{204, {}};
}

Result<Answer> check_connection(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, cluster_of(unit, call));
  Value input(Value::Object{{"organization_id", Value(to_text(cluster.organization))},
                            {"cluster_id", Value(to_text(cluster.id))},
                            {"url", *call.body->find("argocd_url")},
                            {"token", *call.body->find("argocd_token")}});
  return ask_later(unit, {.question = Question::check_argocd, .input = std::move(input)});
}

Result<Answer> list_services(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, cluster_of(unit, call));
  ORLOP_TRY(environments, visible_referrers(unit, call, cluster.id, "environment"));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& environment : environments) {
    ORLOP_TRY(applications, visible_children(unit, call, environment.id, "argocd_app"));
    for (const Record& application : applications) {
      out.begin_object();
      ORLOP_CHECK(write_environment_place(unit, environment.id, out));
      out.field("service_id", application.id)
          .field("service_name", name_of(application))
          .field("service_type", "ARGOCD_APP")
          .end_object();
    }
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field config_fields[] = {
    text("argocd_url", "URL of the Argo CD server, which begins with `https://` or `http://`.")
        .required()
        .at_most(2048),
    text("argocd_token", "API token of the Argo CD server.").required().at_least(1),
};
constexpr Shape config_request = {.name = "ArgoCdCredentialsRequest", .fields = config_fields};
constexpr Field answer_fields[] = {
    uuid("id", "ID of the configuration.").required(),
    uuid("cluster_id", "ID of the cluster on which the Argo CD server runs.").required(),
    text("argocd_url", "URL of the Argo CD server.").required(),
    text("argocd_token", "Always empty: the token is never returned.").required(),
    date_time("last_checked_at", "Time of the last synchronization with the server. Null: there was none.").nullable(),
    text("sync_error",
         "Reason for which the last synchronization failed, or left an application out. Null: it did neither.")
        .nullable(),
    date_time("created_at", "Time of creation, in UTC.").required(),
    date_time("updated_at", "Time of the last change, in UTC.").required(),
};
constexpr Shape config_answer = {.name = "ArgoCdCredentialsResponse", .fields = answer_fields};
constexpr std::string_view service_types[] = {"ARGOCD_APP"};
constexpr Field service_fields[] = {
    uuid("project_id", "ID of the project.").required(),
    text("project_name", "Name of the project.").required(),
    uuid("environment_id", "ID of the environment.").required(),
    text("environment_name", "Name of the environment.").required(),
    uuid("service_id", "ID of the Argo CD application.").required(),
    text("service_name", "Name of the Argo CD application.").required(),
    enumeration("service_type", service_types, "Kind of the service.").required(),
};
constexpr Shape service_shape = {.name = "ArgocdAssociatedServicesResponse", .fields = service_fields};

constexpr Operation operations[] = {
    {.path = "/cluster/{clusterId}/argoCdConfig",
     .name = "get_{family}",
     .handle = read_config,
     .form = AnswerForm::shape,
     .answer = &config_answer,
     .summary = "Get the configuration of the Argo CD server of a cluster",
     .about = "404: none is stored."},
    {.method = Method::post,
     .path = "/cluster/{clusterId}/argoCdConfig",
     .name = "save_{family}",
     .access = Access::write,
     .handle = save_config,
     .body = &config_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &config_answer,
     .summary = "Set the configuration of the Argo CD server of a cluster",
     .about = "Replaces the one that is stored. A synchronization begins: applications whose destination is mapped to "
              "a cluster become services."},
    {.method = Method::remove,
     .path = "/cluster/{clusterId}/argoCdConfig",
     .name = "delete_{family}",
     .status = 204,
     .access = Access::write,
     .handle = delete_config,
     .summary = "Delete the configuration of the Argo CD server of a cluster",
     .about = "The services of its applications are deleted with it; the applications keep running. 409: a deployment "
              "of one of them runs."},
    {.method = Method::post,
     .path = "/cluster/{clusterId}/argoCdConfig/check",
     .name = "check_argocd_connection",
     .handle = check_connection,
     .body = &config_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &question_shapes::argocd_check,
     .summary = "Check the connection to an Argo CD server",
     .about = "Nothing is stored.",
     .need = Level::manage,
     .asks = Question::check_argocd},
    {.path = "/cluster/{clusterId}/argocdApps/associatedServices",
     .name = "list_argocd_associated_services",
     .handle = list_services,
     .form = AnswerForm::shape_list,
     .answer = &service_shape,
     .summary = "List the Argo CD applications on a cluster",
     .about = "Those that Argo CD has reported with the last synchronization and that the caller may see."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("argocd_config"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::integrations::argocd
