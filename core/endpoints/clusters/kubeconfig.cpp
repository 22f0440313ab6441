// The kubeconfig of a cluster: the stored text, or one made from the driver's report about the cluster.
#include <optional>
#include <string>
#include <utility>

#include "base/family_number.h"
#include "deploy/driver/scripted_outputs.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/form.h"
#include "model/validate.h"
#include "records/ask_later.h"
#include "records/missing_secrets.h"
#include "records/path.h"
#include "unit/operation.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::kubeconfig {
namespace {

// Internal record below the cluster; the text is among its secrets.
constexpr FamilyNumber kubeconfig_number = 1020;
constexpr std::string_view text_name = "kubeconfig";

Result<Shared<Record>> find_kubeconfig(Unit& unit, const Id& cluster) {
  RecordRange range;
  range.key = cluster;
  range.family = kubeconfig_number;
  range.limit = 1;
  ORLOP_TRY(records, unit.records(range));
  return records.empty() ? Shared<Record>() : Shared<Record>(std::move(records.front()));
}

Answer yaml(std::string text) {
  Answer answer{200, std::move(text)};
  answer.type = ContentType::yaml;
  return answer;
}

// Makes a kubeconfig with one cluster and one user. JSON texts are valid YAML.
std::string kubeconfig_of(const Value& outputs, std::string_view user) {
  const std::string name = to_json(Value(outputs.text_or("cluster_name", "")));
  std::string text = "apiVersion: v1\nkind: Config\nclusters:\n  - name: " + name +
                     "\n    cluster:\n      server: " + to_json(Value(outputs.text_or("kubernetes_endpoint", ""))) +
                     "\n";
  const std::string_view authority = outputs.text_or("kubernetes_certificate_authority", "");
  if (!authority.empty()) text += "      certificate-authority-data: " + to_json(Value(authority)) + "\n";
  text += "users:\n  - name: " + name + "\n    user:\n" + std::string(user);
  return text + "contexts:\n  - name: " + name + "\n    context:\n      cluster: " + name + "\n      user: " + name +
         "\ncurrent-context: " + name + "\n";
}

// User whose token the platform's command line fetches by GET /cluster/{clusterId}/token.
std::string user_of_command_line(const Id& cluster, std::string_view brand, bool is_read_only) {
  std::string text =
      "      exec:\n        apiVersion: client.authentication.k8s.io/v1\n        interactiveMode: Never\n        "
      "command: " +
      std::string(brand) + "\n        args: [cluster, token, --cluster-id, \"" + to_text(cluster) + "\"";
  return text + (is_read_only ? ", --read-only]\n" : "]\n");
}

// Returns the outputs that the driver has reported for the cluster; with the scripted driver, a deployed cluster
// without outputs gets made-up ones. Null: none.
Result<Value> access_of(Unit& unit, const Record& cluster) {
  ORLOP_TRY(body, unit.value_of(cluster));
  const Value* outputs = body->find("infrastructure_outputs");
  if (outputs != nullptr && !outputs->text_or("kubernetes_endpoint", "").empty()) return *outputs;
  ORLOP_TRY(machine, unit.machine(cluster.id));
  const bool is_made_up = unit.settings().is_driver_scripted && machine && machine->deployed != 0;
  return is_made_up ? scripted_cluster_access(cluster.id) : Value();
}

Result<Answer> make_kubeconfig(Unit& unit, const Call& call, const Record& cluster) {
  ORLOP_TRY(outputs, access_of(unit, cluster));
  if (outputs.is_null()) return not_found("kubeconfig of cluster", cluster.id);
  const bool is_read_only = query_flag(call, "read_only");
  if (query_flag(call, "with_token_from_cli"))
    return yaml(kubeconfig_of(outputs, user_of_command_line(cluster.id, unit.settings().brand, is_read_only)));
  Value input(Value::Object{{"organization_id", Value(to_text(cluster.organization))},
                            {"cluster_id", Value(to_text(cluster.id))},
                            {"read_only", Value(is_read_only)}});
  Asked asked{
      .question = Question::get_cluster_token, .input = std::move(input), .reply = [outputs](const Value& token) {
        return Result<Answer>(
            yaml(kubeconfig_of(outputs, "      token: " + to_json(Value(token.text_or("token", ""))) + "\n")));
      }};
  if (unit.settings().is_driver_scripted)
    asked.otherwise = [id = cluster.id] {
      return Result<Value>(Value(Value::Object{{"token", Value(scripted_cluster_token(id))}}));
    };
  return ask_later(unit, std::move(asked));
}

Result<Answer> read_kubeconfig(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(stored, find_kubeconfig(unit, cluster.id));
  if (!stored) return make_kubeconfig(unit, call, cluster);
  ORLOP_CHECK(require_secrets(*stored));
  ORLOP_TRY(secrets, parse_stored(stored->secrets));
  return yaml(std::string(secrets.text_or(text_name, "")));
}

// Reports whether the text is a mapping, in YAML or JSON, with apiVersion.
bool is_kubeconfig(std::string_view text) {
  for (const std::string_view start : {"apiVersion:", "\"apiVersion\""}) {
    const std::size_t at = text.find(start);
    if (at != std::string_view::npos && (at == 0 || text[at - 1] == '\n' || text.starts_with('{'))) return true;
  }
  return false;
}

Result<Answer> write_kubeconfig(Unit& unit, const Call& call) {
  if (!is_kubeconfig(call.text))
    return refusal({{"", "the body must be a kubeconfig, a YAML mapping with apiVersion"}});
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(stored, find_kubeconfig(unit, cluster.id));
  Record record = stored ? std::move(*stored) : Record();
  if (!stored) {
    record.id = unit.make_id();
    record.family = kubeconfig_number;
    record.parent = cluster.id;
    record.organization = cluster.organization;
    record.body = Writer().begin_object().field("id", record.id).end_object().text();
  }
  record.secrets = Writer().begin_object().field(text_name, call.text).end_object().text();
  unit.put(std::move(record));
  emit_about(unit, cluster, EventKind::edited, cluster.revision, R"({"fields":["kubeconfig"]})");
  return Answer{204, ""};
}

constexpr Field query[] = {
    boolean("with_token_from_cli",
            "Let kubectl get the token from the command line of the platform, which has its name, each time that it "
            "needs one, in place of a token in the text. Without effect on "
            "a stored text. Default: false."),
    boolean("read_only", "Get a token that can only read. Without effect on a stored text. Default: false."),
};

// Clients send any text for the organization; the permission is checked in the cluster's own.
constexpr Field path_texts[] = {
    text("organizationId", "ID of the organization. Not looked at: the cluster says whose it is.")};

// Needs `manage`: with the text a caller is an administrator of the cluster.
constexpr Operation operations[] = {
    {.path = "{item}/kubeconfig",
     .name = "get_{family}_kubeconfig",
     .handle = read_kubeconfig,
     .query = query,
     .summary = "Get the kubeconfig of a cluster",
     .about = "Returns the text that was stored last. Where none was stored, it is made of what the driver has "
              "reported of the cluster, with a token of external systems. "
              "404: there is neither. The scripted driver makes up the endpoint and the token of a cluster that is "
              "deployed.",
     .need = Level::manage,
     .gives = ContentType::yaml,
     .asks = Question::get_cluster_token,
     .path_texts = path_texts},
    {.method = Method::put,
     .path = "{item}/kubeconfig",
     .name = "edit_{family}_kubeconfig",
     .status = 204,
     .access = Access::write,
     .handle = write_kubeconfig,
     .is_body_required = true,
     .summary = "Set the kubeconfig of a cluster",
     .about = "Stores the text encrypted, as it is.",
     .takes = ContentType::yaml,
     .path_texts = path_texts},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::clusters::kubeconfig
