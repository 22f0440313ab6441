// Mapping of the destinations of an organization's Argo CD servers to clusters.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "endpoints/integrations/parts/argocd_sync_state.h"
#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/ask.h"
#include "external_systems/question_shapes.h"
#include "model/enumerations.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::integrations::argocd_mappings {
namespace {

struct Destination {
  std::string url;
  Id cluster;
  std::string cluster_name;
  std::string cloud_provider;
  std::string kubernetes;
};

struct Instance {
  Record config;
  std::string url;
  std::string agent_name;
  std::string agent_provider;
  std::vector<Destination> mapped;
  Value question = Value::object();
};

Result<std::vector<Record>> mappings_of(Unit& unit, const Id& agent) {
  RecordRange range;
  range.key = agent;
  range.family = find_family("argocd_mapping")->number;
  return unit.records(range);
}

// Returns the mapping of this destination; null if none.
Result<Shared<Record>> find_mapping(Unit& unit, const Id& agent, std::string_view url) {
  ORLOP_TRY(mappings, mappings_of(unit, agent));
  for (Record& mapping : mappings) {
    ORLOP_TRY(body, unit.value_of(mapping));
    if (body->text_or("argocd_cluster_url", "") == url) return Shared<Record>(std::move(mapping));
  }
  return Shared<Record>();
}

Result<Answer> save_mapping(Unit& unit, const Call& call) {
  const Id agent = id_in(*call.body, "agent_cluster_id").value_or(Id{});
  const std::string url(call.body->text_or("argocd_cluster_url", ""));
  ORLOP_TRY(cluster, require_near(unit, "cluster", agent, call.ids.front()));
  Value body = Value::object();
  body.set("argocd_cluster_url", Value(url));
  body.set("cluster_id", *call.body->find("cluster_id"));
  ORLOP_TRY(before, find_mapping(unit, cluster.id, url));
  ORLOP_TRY(stored, before ? edit_record(unit, *call.family, std::move(before).take(), body)
                           : create_record(unit, *call.family, cluster.id, body));
  (void)stored;
  ORLOP_CHECK(begin_sync(unit, cluster.id));
  Writer out;
  out.begin_object()
      .field("agent_cluster_id", cluster.id)
      .field("argocd_cluster_url", url)
      .field("cluster_id", body.text_or("cluster_id", ""))
      .end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> delete_mapping(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, require_near(unit, "cluster", parse_id(query_text(call, "agentClusterId")).value_or(Id{}),
                                  call.ids.front()));
  ORLOP_TRY(mapping, find_mapping(unit, cluster.id, query_text(call, "argocdClusterUrl")));
  if (!mapping)
    return make_error(ErrorCode::not_found, "cluster " + to_text(cluster.id) + " has no mapping of the destination \"" +
                                                std::string(query_text(call, "argocdClusterUrl").substr(0, 80)) + "\"");
  ORLOP_CHECK(remove_tree(unit, *mapping));
  ORLOP_CHECK(begin_sync(unit, cluster.id));
  return Answer{204, {}};
}

Result<std::vector<Destination>> destinations_of(Unit& unit, const Id& agent) {
  ORLOP_TRY(mappings, mappings_of(unit, agent));
  std::vector<Destination> destinations;
  for (const Record& mapping : mappings) {
    ORLOP_TRY(body, unit.value_of(mapping));
    const Id id = parse_id(body->text_or("cluster_id", "")).value_or(Id{});
    ORLOP_TRY(cluster, unit.record(id));
    if (!cluster) continue;
    ORLOP_TRY(described, unit.value_of(*cluster));
    destinations.push_back({std::string(body->text_or("argocd_cluster_url", "")), id, name_of(*cluster),
                            std::string(described->text_or("cloud_provider", "")),
                            std::string(described->text_or("kubernetes", "MANAGED"))});
  }
  return destinations;
}

Result<std::optional<Instance>> instance_on(Unit& unit, const Record& cluster) {
  ORLOP_TRY(config, find_child(unit, cluster.id, find_family("argocd_config")->number));
  if (!config) return std::optional<Instance>();
  ORLOP_TRY(secrets, full_value(*config));
  ORLOP_TRY(described, unit.value_of(cluster));
  ORLOP_TRY(mapped, destinations_of(unit, cluster.id));
  Instance instance{std::move(config).take(), std::string(secrets.text_or("argocd_url", "")), name_of(cluster),
                    std::string(described->text_or("cloud_provider", "")), std::move(mapped)};
  instance.question.set("organization_id", Value(to_text(cluster.organization)));
  instance.question.set("cluster_id", Value(to_text(cluster.id)));
  instance.question.set("url", Value(instance.url));
  instance.question.set("token", Value(secrets.text_or("argocd_token", "")));
  return std::optional(std::move(instance));
}

void write_linked(Writer& out, const Destination& destination, std::string_view name, std::int64_t applications,
                  std::string_view brand) {
  out.begin_object().field("argocd_cluster_url", destination.url).field("argocd_cluster_name", name);
  out.field(branded(branded_names::cluster_id, brand), destination.cluster)
      .field(branded(branded_names::cluster_name, brand), destination.cluster_name);
  out.field(branded(branded_names::cluster_cloud_provider, brand), destination.cloud_provider);
  out.field(branded(branded_names::cluster_type, brand), destination.kubernetes);
  out.field("applications_count", applications).end_object();
}

// `answer`: destinations of the server; null if it did not answer, so that only mapped ones are known.
void write_instance(Writer& out, const Instance& instance, const Value* answer, Instant at, std::string_view brand) {
  out.begin_object().field("agent_cluster_id", instance.config.parent).field("agent_cluster_name", instance.agent_name);
  out.field("agent_cluster_cloud_provider", instance.agent_provider)
      .field("credentials_id", instance.config.id)
      .field("argocd_url", instance.url);
  out.field("status", answer == nullptr ? "error" : "connected")
      .field("last_checked_at", at)
      .key("linked_clusters")
      .begin_list();
  const auto known = [answer](std::string_view url) -> const Value* {
    if (answer == nullptr) return nullptr;
    const auto found = std::ranges::find(answer->items(), url,
                                         [](const Value& each) { return each.text_or("argocd_cluster_url", ""); });
    return found == answer->items().end() ? nullptr : &*found;
  };
  for (const Destination& destination : instance.mapped) {
    const Value* found = known(destination.url);
    write_linked(out, destination,
                 found == nullptr ? std::string_view(destination.url) : found->text_or("argocd_cluster_name", ""),
                 found == nullptr ? 0 : found->integer_or("applications_count", 0), brand);
  }
  out.end_list().key("unlinked_clusters").begin_list();
  for (const Value& each : answer == nullptr ? Value::List() : answer->items()) {
    const std::string_view url = each.text_or("argocd_cluster_url", "");
    if (std::ranges::find(instance.mapped, url, &Destination::url) == instance.mapped.end()) out.value(each);
  }
  out.end_list().end_object();
}

Result<Answer> list_instances(Unit& unit, const Call& call) {
  ORLOP_CHECK(require(unit, *find_family("organization"), call.ids.front()));
  ORLOP_TRY(clusters, visible_children(unit, call, call.ids.front(), "cluster"));
  std::vector<Instance> instances;
  for (const Record& cluster : clusters) {
    ORLOP_TRY(instance, instance_on(unit, cluster));
    if (instance) instances.push_back(std::move(*instance));
  }
  Answer answer;
  answer.ask = [systems = unit.settings().external_systems, brand = unit.settings().brand,
                instances = std::move(instances), at = unit.now()]() -> Result<Answer> {
    Writer out;
    out.begin_object().key("results").begin_list();
    for (const Instance& instance : instances) {
      const auto destinations = ask(systems, Question::list_argocd_clusters, instance.question);
      write_instance(out, instance, destinations ? &*destinations : nullptr, at, brand);
    }
    out.end_list().end_object();
    return Answer{200, std::move(out).take()};
  };
  return answer;
}

constexpr std::string_view kubernetes_modes[] = {"MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"};
constexpr Field linked_fields[] = {
    text("argocd_cluster_url", "URL of the Kubernetes API of the destination, as Argo CD has it.").required(),
    text("argocd_cluster_name",
         "Name of the destination in Argo CD; its URL if the server does not know it or cannot be asked.")
        .required(),
    uuid(branded_names::cluster_id, "ID of the cluster that the destination is.").required(),
    text(branded_names::cluster_name, "Name of that cluster.").required(),
    enumeration(branded_names::cluster_cloud_provider, shapes::cloud_vendors, "Cloud provider of that cluster.")
        .required(),
    enumeration(branded_names::cluster_type, kubernetes_modes,
                "Management of the Kubernetes control plane of that cluster.")
        .required(),
    integer("applications_count", "Number of applications that Argo CD deploys there.").required(),
};
constexpr Shape linked = {.name = "ArgoCdLinkedClusterDetails", .fields = linked_fields};
constexpr Field instance_fields[] = {
    uuid("agent_cluster_id", "ID of the cluster on which the Argo CD server runs.").required(),
    text("agent_cluster_name", "Name of that cluster.").required(),
    enumeration("agent_cluster_cloud_provider", shapes::cloud_vendors, "Cloud provider of that cluster.").required(),
    uuid("credentials_id", "ID of the configuration of the Argo CD server.").required(),
    text("argocd_url", "URL of the Argo CD server.").required(),
    enumeration("status", question_shapes::connection_statuses,
                "Result of the question to the Argo CD server for its destinations.")
        .required(),
    date_time("last_checked_at", "Time at which it was asked: that of the request.").required(),
    list_of("linked_clusters", linked, "Destinations that are mapped to a cluster.").required(),
    list_of("unlinked_clusters", question_shapes::argocd_cluster, "Destinations that are not.").required(),
};
constexpr Shape instance_shape = {.name = "ArgoCdInstanceMappingResponse", .fields = instance_fields};
constexpr Field save_fields[] = {
    uuid("agent_cluster_id", "ID of the cluster on which the Argo CD server runs.").required(),
    text("argocd_cluster_url", "URL of the Kubernetes API of the destination, as Argo CD has it.")
        .required()
        .at_least(1)
        .at_most(2048),
    uuid("cluster_id", "ID of the cluster that the destination is.").required(),
};
constexpr Shape save_request = {.name = "ArgoCdDestinationClusterMappingRequest", .fields = save_fields};
constexpr Shape save_answer = {.name = "ArgoCdDestinationClusterMappingResponse", .fields = save_fields};
constexpr Field delete_query[] = {
    uuid("agentClusterId", "ID of the cluster on which the Argo CD server runs.").required(),
    text("argocdClusterUrl", "URL of the destination.").required(),
};

constexpr std::string_view path = "/organization/{organizationId}/argoCdDestinationClusterMapping";
constexpr Operation operations[] = {
    {.path = path,
     .name = "list_{family}s",
     .handle = list_instances,
     .form = AnswerForm::shape_list,
     .answer = &instance_shape,
     .summary = "List the Argo CD servers of an organization with their destinations",
     .about = "Of a server that cannot be asked, the status is `error`, and only the mapped destinations are listed.",
     .asks = Question::list_argocd_clusters},
    {.method = Method::post,
     .path = path,
     .name = "save_{family}",
     .access = Access::write,
     .handle = save_mapping,
     .body = &save_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &save_answer,
     .summary = "Set the cluster that a destination of an Argo CD server is",
     .about = "Replaces the one that is stored. A synchronization begins: the applications of the destination become "
              "services."},
    {.method = Method::remove,
     .path = path,
     .name = "delete_{family}",
     .status = 204,
     .access = Access::write,
     .handle = delete_mapping,
     .query = delete_query,
     .summary = "Delete the mapping of a destination of an Argo CD server",
     .about = "A synchronization begins: the services of the destination's applications are deleted."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("argocd_mapping"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::integrations::argocd_mappings
