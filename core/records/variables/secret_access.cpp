#include "records/variables/secret_access.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "records/variables/visible_variables.h"
#include "wire/json.h"
#include "wire/object_member.h"

namespace orlop {
namespace {

bool has_access(const Record& cluster, std::string_view access) {
  const auto accesses = parse_stored(raw_member(cluster.body, "secret_manager_accesses"));
  if (!accesses || !accesses->is_list()) return false;
  return std::ranges::any_of(accesses->items(), [&](const Value& item) { return item.text_or("id", "") == access; });
}

// Reports whether services in the owner run on this cluster, or, in a project, can.
Result<bool> reaches(Unit& unit, const Record& owner, const Record& cluster) {
  if (owner.organization != cluster.organization) return false;
  ORLOP_TRY(owners, owners_of(unit, owner));
  const Record* environment = owners.environment();
  if (environment == nullptr) return true;
  ORLOP_TRY(body, unit.value_of(*environment));
  return parse_id(body->text_or("cluster_id", "")) == cluster.id;
}

}  // namespace

Result<Shared<Record>> cluster_of_secret_access(Unit& unit, const Id& access) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = access;
  range.family = find_family("cluster")->number;
  ORLOP_TRY(clusters, unit.records(range));
  // A cluster also refers to its credentials, whose ids are not accesses.
  const std::string id = to_text(access);
  for (Record& cluster : clusters) {
    if (has_access(cluster, id)) return Shared<Record>(std::move(cluster));
  }
  return Shared<Record>();
}

Result<void> require_secret_manager_access(Unit& unit, const Record& owner, std::string_view access) {
  if (const auto id = parse_id(access)) {
    ORLOP_TRY(cluster, cluster_of_secret_access(unit, *id));
    ORLOP_TRY(is_reached, cluster ? reaches(unit, owner, *cluster) : Result<bool>(false));
    if (is_reached) return {};
  }
  constexpr std::string_view field = "secret_manager_access_id";
  std::string reason = "must be the id of a secret manager access of the cluster, not \"" + std::string(access) + "\"";
  Error error = make_error(ErrorCode::invalid, std::string(field) + " " + reason);
  error.violations.push_back({std::string(field), std::move(reason)});
  return error;
}

}  // namespace orlop
