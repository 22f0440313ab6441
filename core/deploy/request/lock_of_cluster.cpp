#include "deploy/request/lock_of_cluster.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/family_number.h"
#include "records/record_value.h"
#include "unit/agreed_time.h"
#include "unit/find_record.h"

namespace orlop {
namespace {

constexpr std::int64_t seconds_per_day = 86400;

bool has_expired(const Value& lock, const Expiry& expiry) {
  const auto locked_at = parse_instant(lock.text_or("locked_at", ""));
  return !locked_at || expiry.has_passed(*locked_at, seconds(lock.integer_or("ttl_in_days", 0) * seconds_per_day));
}

}  // namespace

Result<std::optional<ClusterLock>> lock_of(Unit& unit, const Id& cluster) {
  ORLOP_TRY(record, find_child(unit, cluster, cluster_lock_number));
  if (!record) return std::optional<ClusterLock>();
  ORLOP_TRY(body, full_value(*record));
  ORLOP_TRY(expiry, unit.expiry());
  if (has_expired(body, expiry)) return std::optional<ClusterLock>();
  return std::optional<ClusterLock>(ClusterLock{std::move(*record), std::move(body)});
}

Result<void> require_unlocked(Unit& unit, const Id& cluster) {
  ORLOP_TRY(lock, lock_of(unit, cluster));
  if (!lock) return {};
  return make_error(ErrorCode::conflict, "the cluster is locked by " +
                                             std::string(lock->body.text_or("owner_name", "")) + ": " +
                                             std::string(lock->body.text_or("reason", "")));
}

}  // namespace orlop
