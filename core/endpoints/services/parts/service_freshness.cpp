#include "endpoints/services/parts/service_freshness.h"

#include "deploy/driver/released_configuration.h"
#include "deploy/driver/step_variables.h"
#include "records/variables/reach.h"
#include "releases/release_records.h"

namespace orlop {

bool have_digests(const Unit& unit) { return unit.settings().releases_kept.value_or(0) != 0; }

Result<Freshness> freshness_of(Unit& unit, const std::optional<Instant>& pending_mark, const Machine& service) {
  const Freshness marked = freshness_under(pending_mark, service);
  const bool has_failed = is_error(static_cast<ServiceState>(service.state));
  if (marked != Freshness::out_of_date || has_failed || !have_digests(unit)) return marked;
  ORLOP_TRY(newest, newest_release(unit, service.id));
  if (!newest.runs || newest.digest.empty()) return marked;
  ORLOP_TRY(is_large, is_large_environment(unit, service.owner));
  ORLOP_TRY(record, is_large ? Result<Shared<Record>>(Shared<Record>()) : unit.record(service.id));
  if (!record) return marked;
  const auto wanted = wanted_configuration(unit, *record);
  if (!wanted && wanted.error().code != ErrorCode::invalid) return wanted.error();
  return wanted && wanted->digest == newest.digest ? Freshness::up_to_date : marked;
}

}  // namespace orlop
