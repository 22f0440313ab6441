#include "endpoints/clusters/parts/cluster_status.h"

#include <string>
#include <string_view>
#include <utility>

#include "catalogs/kubernetes_version.h"
#include "deploy/request/lock_of_cluster.h"
#include "lifecycle/state.h"
#include "unit/find_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string_view next_version_of(Unit& unit, const Value& cluster) {
  return next_kubernetes_version(unit.settings().kubernetes_versions, cluster.text_or("version", ""));
}

void write_lock(Writer& out, const std::optional<ClusterLock>& lock) {
  if (lock) {
    out.field_raw("cluster_lock", lock->record.body);
  } else {
    out.field_null("cluster_lock");
  }
}

void write_text_or_null(Writer& out, std::string_view name, std::string_view text) {
  if (text.empty()) {
    out.field_null(name);
  } else {
    out.field(name, text);
  }
}

}  // namespace

Result<void> write_cluster_status(Unit& unit, Writer& out, const Record& cluster) {
  ORLOP_TRY(machine, require_machine(unit, cluster.id));
  ORLOP_TRY(body, parse_stored(cluster.body));
  ORLOP_TRY(lock, lock_of(unit, cluster.id));
  out.begin_object().field("cluster_id", cluster.id);
  out.field("status", to_string(static_cast<ClusterState>(machine.state)));
  out.field("is_deployed", machine.deployed != 0);
  out.field("reason", static_cast<Action>(machine.action) == Action::upgrade ? "MAINTENANCE" : "UNSPECIFIED");
  write_text_or_null(out, "next_k8s_available_version", next_version_of(unit, body));
  write_text_or_null(out, "last_execution_id", machine.detail->execution_id);
  write_lock(out, lock);
  write_text_or_null(out, "last_deployment_date",
                     machine.last_deployment_at ? to_text(*machine.last_deployment_at) : "");
  const bool has_failed = is_error(static_cast<ClusterState>(machine.state));
  write_text_or_null(out, "failure_reason", has_failed ? std::string_view(machine.detail->reason) : std::string_view());
  out.end_object();
  return {};
}

Result<std::string> cluster_status(Unit& unit, const Record& cluster) {
  Writer out;
  ORLOP_CHECK(write_cluster_status(unit, out, cluster));
  return std::move(out).take();
}

}  // namespace orlop
