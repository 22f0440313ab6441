#include "ops/variables/secret_access.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/registry.h"
#include "ops/variables/visible.h"
#include "wire/json.h"
#include "wire/member.h"

namespace orlop {
namespace {

bool has_access(const Record& cluster, std::string_view access) {
  const auto accesses = parse_stored(raw_member(cluster.body, "secret_manager_accesses"));
  if (!accesses || !accesses->is_list()) return false;
  return std::ranges::any_of(accesses->items(), [&](const Value& item) { return item.text_or("id", "") == access; });
}

Result<std::vector<Record>> clusters_of(Unit& unit, const Record& owner) {
  ORLOP_TRY(owners, owners_of(unit, owner));
  std::vector<Record> clusters;
  if (const Record* environment = owners.environment()) {
    ORLOP_TRY(body, parse_stored(environment->body));
    ORLOP_TRY(cluster, unit.record(parse_id(body.text_or("cluster_id", "")).value_or(Id{})));
    if (cluster) clusters.push_back(std::move(*cluster));
    return clusters;
  }
  RecordRange range;
  range.key = owner.organization;
  range.family = find_family("cluster")->number;
  return unit.records(range);
}

}  // namespace

Result<void> require_secret_manager_access(Unit& unit, const Record& owner, std::string_view access) {
  ORLOP_TRY(clusters, clusters_of(unit, owner));
  if (std::ranges::any_of(clusters, [&](const Record& cluster) { return has_access(cluster, access); })) return {};
  constexpr std::string_view field = "secret_manager_access_id";
  std::string reason = "must be the id of a secret manager access of the cluster, not \"" + std::string(access) + "\"";
  Error error = make_error(ErrorCode::invalid, std::string(field) + " " + reason);
  error.violations.push_back({std::string(field), std::move(reason)});
  return error;
}

}  // namespace orlop
