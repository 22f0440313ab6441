#include "endpoints/billing/parts/meter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/billing_months.h"
#include "endpoints/billing/parts/month.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

constexpr double ms_per_hour = 3'600'000;
constexpr double ms_per_minute = 60'000;
constexpr std::string_view organization_scope = "ORGANIZATION";

const Family& meter_family() {
  static const Family& family = *find_family(usage_meter_number);
  return family;
}

std::int64_t priced(std::int64_t milliseconds, double unit, std::int64_t price) {
  return std::llround(static_cast<double>(milliseconds) / unit * static_cast<double>(price));
}

void run_until(Meter& meter, Instant at) {
  const std::int64_t spent = at.milliseconds - meter.settled_at.milliseconds;
  meter.month.instance_ms += meter.instances * spent;
  meter.month.cluster_ms += meter.clusters * spent;
  meter.settled_at = at;
}

// Changes only the last bytes, which are random in ids of the engine, so that the id is not another record's.
Id derived(Id id, std::uint8_t mark) {
  id.bytes[15] ^= mark;
  id.bytes[14] ^= 0xA5;
  id.bytes[13] ^= 0x5A;
  return id;
}

Value as_body(const Meter& meter) {
  Value body = Value::object();
  body.set("scope", Value(meter.scope));
  body.set("scope_id", Value(to_text(meter.scope_id)));
  body.set("name", Value(meter.name));
  body.set("settled_at", Value(to_text(meter.settled_at)));
  body.set("instances", Value(meter.instances));
  body.set("clusters", Value(meter.clusters));
  body.set("instance_ms", Value(meter.month.instance_ms));
  body.set("cluster_ms", Value(meter.month.cluster_ms));
  body.set("build_ms", Value(meter.month.build_ms));
  body.set("last_instance_ms", Value(meter.last_month.instance_ms));
  body.set("last_cluster_ms", Value(meter.last_month.cluster_ms));
  body.set("last_build_ms", Value(meter.last_month.build_ms));
  Value closed = Value::list();
  for (const ClosedMonth& each : meter.closed) {
    closed.append(Value(Value::Object{{"month", Value(to_text(each.month))},
                                      {"instance_ms", Value(each.usage.instance_ms)},
                                      {"cluster_ms", Value(each.usage.cluster_ms)},
                                      {"build_ms", Value(each.usage.build_ms)}}));
  }
  body.set("closed_months", std::move(closed));
  return body;
}

Result<std::string> current_name(Unit& unit, const Id& scope, std::string known) {
  ORLOP_TRY(record, unit.record(scope));
  return record ? name_of(*record) : std::move(known);
}

}  // namespace

void settle(Meter& meter, Instant at) {
  while (meter.settled_at < at) {
    const Instant begin = month_begin(meter.settled_at);
    const Instant end = month_end(meter.settled_at);
    run_until(meter, std::min(at, end));
    if (meter.settled_at < end) return;
    meter.last_month = std::exchange(meter.month, Usage{});
    if (meter.scope != organization_scope || meter.last_month == Usage{}) continue;
    if (meter.closed.size() == closed_months_max) meter.closed.erase(meter.closed.begin());
    meter.closed.push_back({begin, meter.last_month});
  }
}

Result<Usage> usage_of_month(Unit& unit, const Id& organization, Instant month) {
  ORLOP_TRY(record, unit.record(meter_id(organization)));
  if (!record) return Usage{};
  ORLOP_TRY(body, unit.value_of(*record));
  Meter meter = read_meter(*body);
  settle(meter, month_end(month));
  const auto found = std::ranges::find(meter.closed, month, &ClosedMonth::month);
  return found == meter.closed.end() ? Usage{} : found->usage;
}

Result<void> forget_months(Unit& unit, const Id& organization, Instant month) {
  ORLOP_TRY(record, unit.record(meter_id(organization)));
  if (!record) return {};
  ORLOP_TRY(body, unit.value_of(*record));
  Meter meter = read_meter(*body);
  settle(meter, month);
  std::erase_if(meter.closed, [month](const ClosedMonth& each) { return each.month < month; });
  const auto stored = edit_record(unit, meter_family(), *record, as_body(meter));
  return stored ? Result<void>() : Result<void>(stored.error());
}

std::int64_t instance_cost(const Usage& usage, const BillingTerms& terms) {
  return priced(usage.instance_ms, ms_per_hour, terms.instance_hour);
}
std::int64_t cluster_cost(const Usage& usage, const BillingTerms& terms) {
  return priced(usage.cluster_ms, ms_per_hour, terms.cluster_hour);
}
std::int64_t build_cost(const Usage& usage, const BillingTerms& terms) {
  return priced(usage.build_ms, ms_per_minute, terms.build_minute);
}
std::int64_t cost_of(const Usage& usage, const BillingTerms& terms) {
  return instance_cost(usage, terms) + cluster_cost(usage, terms) + build_cost(usage, terms);
}

Id meter_id(const Id& scope) { return derived(scope, 0x11); }
Id service_usage_id(const Id& service) { return derived(service, 0x22); }

Meter read_meter(const Value& record) {
  Meter meter;
  meter.scope = record.text_or("scope", "");
  meter.scope_id = parse_id(record.text_or("scope_id", "")).value_or(Id{});
  meter.name = record.text_or("name", "");
  meter.settled_at = parse_instant(record.text_or("settled_at", "")).value_or(Instant{});
  meter.instances = record.integer_or("instances", 0);
  meter.clusters = record.integer_or("clusters", 0);
  meter.month = {record.integer_or("instance_ms", 0), record.integer_or("cluster_ms", 0),
                 record.integer_or("build_ms", 0)};
  meter.last_month = {record.integer_or("last_instance_ms", 0), record.integer_or("last_cluster_ms", 0),
                      record.integer_or("last_build_ms", 0)};
  const Value* closed = record.find("closed_months");
  for (const Value& each : closed != nullptr && closed->is_list() ? closed->items() : Value::List()) {
    meter.closed.push_back(
        {parse_instant(each.text_or("month", "")).value_or(Instant{}),
         {each.integer_or("instance_ms", 0), each.integer_or("cluster_ms", 0), each.integer_or("build_ms", 0)}});
  }
  return meter;
}

Result<Meter> meter_of(Unit& unit, const Id& scope) {
  ORLOP_TRY(record, unit.record(meter_id(scope)));
  Meter meter;
  meter.scope_id = scope;
  meter.settled_at = unit.now();
  if (!record) return meter;
  ORLOP_TRY(body, unit.value_of(*record));
  meter = read_meter(*body);
  settle(meter, unit.now());
  return meter;
}

Result<void> change_meter(Unit& unit, const Id& organization, const MeterChange& change) {
  ORLOP_TRY(holder, unit.record(organization));
  if (!holder) return {};
  ORLOP_TRY(record, unit.record(meter_id(change.scope_id)));
  ORLOP_TRY(meter, meter_of(unit, change.scope_id));
  ORLOP_TRY(name, current_name(unit, change.scope_id, std::move(meter.name)));
  meter.name = std::move(name);
  meter.scope = change.scope;
  meter.instances = std::max<std::int64_t>(0, meter.instances + change.instances);
  meter.clusters = std::max<std::int64_t>(0, meter.clusters + change.clusters);
  meter.month.build_ms += change.build_ms;
  const Value body = as_body(meter);
  const auto stored = record ? edit_record(unit, meter_family(), *record, body)
                             : create_record(unit, meter_family(), organization, body, meter_id(change.scope_id));
  return stored ? Result<void>() : Result<void>(stored.error());
}

}  // namespace orlop
