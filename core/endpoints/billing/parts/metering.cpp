#include "endpoints/billing/parts/metering.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "endpoints/billing/parts/meter.h"
#include "endpoints/services/parts/service_kind.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/write_record.h"

namespace orlop {
namespace {

// Effect of a state on the instances of a service, or on a cluster; other states leave them unchanged.
enum class Effect : std::uint8_t { none, starts, ends };

Effect effect_of(ServiceState state) {
  if (state == ServiceState::deployed || state == ServiceState::restarted) return Effect::starts;
  if (state == ServiceState::stopped || state == ServiceState::deleted || state == ServiceState::ready)
    return Effect::ends;
  return Effect::none;
}

Effect effect_of(ClusterState state) {
  if (state == ClusterState::deployed || state == ClusterState::restarted) return Effect::starts;
  if (state == ClusterState::stopped || state == ClusterState::deleted || state == ClusterState::ready)
    return Effect::ends;
  return Effect::none;
}

class Metering {
 public:
  explicit Metering(Unit& unit) : unit_(unit) {}

  Result<void> take(const Event& event) {
    const Family* family = find_family(event.family);
    if (family == nullptr || event.organization.is_nil()) return {};
    const bool is_gone = event.kind == EventKind::deleted;
    if (event.kind != EventKind::state_changed && !is_gone) return {};
    if (family->machine == MachineKind::cluster)
      return take_cluster(event, is_gone ? Effect::ends : effect_of(static_cast<ClusterState>(event.to)));
    if (names_of_kind(*family) != nullptr) return take_service(event, is_gone);
    return {};
  }

  Result<void> store() {
    for (const auto& [key, change] : changes_) ORLOP_CHECK(change_meter(unit_, key.first, change));
    return {};
  }

 private:
  void add(const Event& event, const MeterChange& change) {
    for (const auto& [scope, id] :
         {std::pair(change.scope, change.scope_id), std::pair(std::string_view("ORGANIZATION"), event.organization)}) {
      MeterChange& sum = changes_[{event.organization, id}];
      sum.scope = scope;
      sum.scope_id = id;
      sum.instances += change.instances;
      sum.clusters += change.clusters;
      sum.build_ms += change.build_ms;
    }
  }

  Result<void> take_cluster(const Event& event, Effect effect) {
    if (effect == Effect::none) return {};
    ORLOP_TRY(meter, meter_of(unit_, event.subject));
    const auto known = changes_.find({event.organization, event.subject});
    const std::int64_t runs = meter.clusters + (known == changes_.end() ? 0 : known->second.clusters);
    const std::int64_t wanted = effect == Effect::starts ? 1 : 0;
    if (runs != wanted) add(event, {.scope = "CLUSTER", .scope_id = event.subject, .clusters = wanted - runs});
    return {};
  }

  // A service without scaling counts as one instance.
  Result<std::int64_t> instances_of(const Id& service) {
    ORLOP_TRY(record, unit_.record(service));
    if (!record) return std::int64_t{1};
    ORLOP_TRY(body, unit_.value_of(*record));
    return std::max<std::int64_t>(1, body->integer_or("min_running_instances", 1));
  }

  Result<void> take_service(const Event& event, bool is_gone) {
    const auto to = static_cast<ServiceState>(event.to);
    const bool builds = !is_gone && to == ServiceState::building;
    const bool built = is_gone || static_cast<ServiceState>(event.from) == ServiceState::building;
    const Effect effect = is_gone ? Effect::ends : effect_of(to);
    if (effect == Effect::none && !builds && !built) return {};
    ORLOP_TRY(record, unit_.record(service_usage_id(event.subject)));
    if (!record && effect == Effect::ends) return {};
    Value body = Value::object();
    if (record) {
      ORLOP_TRY(stored, unit_.value_of(*record));
      body = *stored;
    }
    MeterChange change{.scope = "ENVIRONMENT", .scope_id = event.owner};
    const auto since = parse_instant(body.text_or("building_since", ""));
    if (built && since) change.build_ms = (unit_.now() - *since).milliseconds;
    body.erase("building_since");
    if (builds) body.set("building_since", Value(to_text(unit_.now())));
    const std::int64_t runs = body.integer_or("instances", 0);
    std::int64_t wanted = effect == Effect::ends ? 0 : runs;
    if (effect == Effect::starts) {
      ORLOP_TRY(count, instances_of(event.subject));
      wanted = count;
    }
    change.instances = wanted - runs;
    if (change.instances != 0 || change.build_ms != 0) add(event, change);
    body.set("instances", Value(wanted));
    body.set("service_id", Value(to_text(event.subject)));
    return put(event, std::move(record), body, wanted == 0 && !builds);
  }

  Result<void> put(const Event& event, Shared<Record> record, const Value& body, bool is_idle) {
    const Family& family = *find_family(service_usage_number);
    if (is_idle) {
      if (record) unit_.erase(record->id);
      return {};
    }
    const auto stored = record
                            ? edit_record(unit_, family, *record, body)
                            : create_record(unit_, family, event.organization, body, service_usage_id(event.subject));
    return stored ? Result<void>() : Result<void>(stored.error());
  }

  Unit& unit_;
  std::map<std::pair<Id, Id>, MeterChange> changes_;  // by organization and scope
};

}  // namespace

Result<void> meter_usage(Unit& unit) {
  if (unit.settings().billing.empty()) return {};
  Metering metering(unit);
  // The loop does not change the list: storing meters emits no events.
  for (const Event& event : unit.changes().events) ORLOP_CHECK(metering.take(event));
  return metering.store();
}

}  // namespace orlop
