// Usage meters: counters of an organization, an environment or a cluster. A meter is settled when the usage rate
// changes and when it is read, so that unchanged usage costs nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/billing_terms.h"
#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

struct Usage {
  std::int64_t instance_ms = 0;
  std::int64_t cluster_ms = 0;
  std::int64_t build_ms = 0;

  friend bool operator==(const Usage&, const Usage&) = default;
};

struct ClosedMonth {
  Instant month;  // begin of the month
  Usage usage;
};

struct Meter {
  std::string scope;  // ORGANIZATION, ENVIRONMENT or CLUSTER
  Id scope_id;
  std::string name;
  Instant settled_at;
  std::int64_t instances = 0;
  std::int64_t clusters = 0;
  Usage month;                      // usage in the month of settled_at
  Usage last_month;                 // usage in the month before
  std::vector<ClosedMonth> closed;  // months of an organization that have ended and are not invoiced, oldest first
};

// Advances the counters to `at` by the running instances and clusters; a month that has ended becomes the last one.
// Does nothing if `at` is earlier than settled_at. Pure.
void settle(Meter& meter, Instant at);

// Returns the usage of the organization in this ended month, which is not invoiced yet.
Result<Usage> usage_of_month(Unit& unit, const Id& organization, Instant month);
// Drops the usage before `month`, which is invoiced.
Result<void> forget_months(Unit& unit, const Id& organization, Instant month);

// Cost of the usage, in millionths of the currency's unit.
std::int64_t cost_of(const Usage& usage, const BillingTerms& terms);
std::int64_t instance_cost(const Usage& usage, const BillingTerms& terms);
std::int64_t cluster_cost(const Usage& usage, const BillingTerms& terms);
std::int64_t build_cost(const Usage& usage, const BillingTerms& terms);

// Ids of metering records, derived from the id of the organization, environment, cluster or service.
Id meter_id(const Id& scope);
Id service_usage_id(const Id& service);

Meter read_meter(const Value& record);
// Returns the meter of this scope, settled up to now; an empty one if there is none. Writes nothing.
Result<Meter> meter_of(Unit& unit, const Id& scope);

struct MeterChange {
  std::string_view scope;
  Id scope_id;
  std::int64_t instances = 0;
  std::int64_t clusters = 0;
  std::int64_t build_ms = 0;
};
// Settles and changes the meter; creates it if absent. Does nothing if the organization is gone.
Result<void> change_meter(Unit& unit, const Id& organization, const MeterChange& change);

}  // namespace orlop
