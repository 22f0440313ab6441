// The kubeconfig of a cluster that the platform does not manage, as the user gives it.
#include <optional>
#include <string>
#include <utility>

#include "base/family_number.h"
#include "model/form.h"
#include "model/validate.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "ops/commit/record_event.h"
#include "ops/path.h"
#include "ops/verbs.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// The engine's own record below the cluster; the text is among its secrets.
constexpr FamilyNumber kubeconfig_number = 1020;
constexpr std::string_view text_name = "kubeconfig";

Result<std::optional<Record>> find_kubeconfig(Unit& unit, const Id& cluster) {
  RecordRange range;
  range.key = cluster;
  range.family = kubeconfig_number;
  range.limit = 1;
  ORLOP_TRY(records, unit.records(range));
  return records.empty() ? std::optional<Record>() : std::optional(std::move(records.front()));
}

Result<Answer> read_kubeconfig(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(stored, find_kubeconfig(unit, cluster.id));
  if (!stored) return not_found("kubeconfig of cluster", cluster.id);
  ORLOP_TRY(secrets, parse_stored(stored->secrets));
  Answer answer{200, std::string(secrets.text_or(text_name, ""))};
  answer.type = ContentType::yaml;
  return answer;
}

// A kubeconfig is a mapping that names its version, in YAML or JSON.
bool is_kubeconfig(std::string_view text) {
  for (const std::string_view start : {"apiVersion:", "\"apiVersion\""}) {
    const std::size_t at = text.find(start);
    if (at != std::string_view::npos && (at == 0 || text[at - 1] == '\n' || text.starts_with('{'))) return true;
  }
  return false;
}

Result<Answer> write_kubeconfig(Unit& unit, const Call& call) {
  if (!is_kubeconfig(call.text)) return refusal({{"", "the body must be a kubeconfig, a YAML mapping with apiVersion"}});
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
    boolean("with_token_from_cli", "Ignored: the stored text is returned as it is."),
    boolean("read_only", "Ignored: the stored text is returned as it is."),
};

// A holder of the text is an administrator of the cluster.
constexpr Operation operations[] = {
    {.path = "{item}/kubeconfig",
     .name = "get_{family}_kubeconfig",
     .handle = read_kubeconfig,
     .query = query,
     .summary = "Get the kubeconfig of a cluster",
     .about = "Returns the text that was stored last. 404: none has been stored.",
     .need = Level::manage,
     .gives = ContentType::yaml},
    {.method = Method::put,
     .path = "{item}/kubeconfig",
     .name = "edit_{family}_kubeconfig",
     .status = 204,
     .access = Access::write,
     .handle = write_kubeconfig,
     .is_body_required = true,
     .summary = "Set the kubeconfig of a cluster",
     .about = "Stores the text encrypted, as it is.",
     .takes = ContentType::yaml},
};

}  // namespace

namespace operation_sets::clusters {
extern const OperationSet kubeconfig;
constexpr OperationSet kubeconfig = {
    .families = families_named("cluster"),
    .operations = operations,
};
}  // namespace operation_sets::clusters

}  // namespace orlop
