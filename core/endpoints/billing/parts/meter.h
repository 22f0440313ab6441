// Usage meters: counters of what an organization, an environment or a cluster uses. A meter is settled when what it
// counts changes, and when it is read, so that what runs without a change costs nothing.
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
  Instant month;  // its begin
  Usage usage;
};

struct Meter {
  std::string scope;  // ORGANIZATION, ENVIRONMENT or CLUSTER
  Id scope_id;
  std::string name;
  Instant settled_at;
  std::int64_t instances = 0;
  std::int64_t clusters = 0;
  Usage month;                      // of the month of settled_at
  Usage last_month;                 // of the one before
  std::vector<ClosedMonth> closed;  // of an organization: what has ended and is not invoiced, the oldest first
};

// Brings the counters up to `at`: what runs is counted, and a month that has ended becomes the last one. Nothing
// happens if `at` is earlier. Pure.
void settle(Meter& meter, Instant at);

// What the organization has used in this month, which has ended, and its invoice has not been made.
Result<Usage> usage_of_month(Unit& unit, const Id& organization, Instant month);
// The months before `month` are invoiced.
Result<void> forget_months(Unit& unit, const Id& organization, Instant month);

// What the usage costs, in millionths of the currency's unit.
std::int64_t cost_of(const Usage& usage, const BillingTerms& terms);
std::int64_t instance_cost(const Usage& usage, const BillingTerms& terms);
std::int64_t cluster_cost(const Usage& usage, const BillingTerms& terms);
std::int64_t build_cost(const Usage& usage, const BillingTerms& terms);

// The records of an organization, environment, cluster or service that metering keeps have ids of their own that follow
// from it.
Id meter_id(const Id& scope);
Id service_usage_id(const Id& service);

Meter read_meter(const Value& record);
// The meter of this scope, settled up to now; one that counts nothing if there is none yet. Writes nothing.
Result<Meter> meter_of(Unit& unit, const Id& scope);

// What is added to a meter at this instant.
struct MeterChange {
  std::string_view scope;
  Id scope_id;
  std::int64_t instances = 0;
  std::int64_t clusters = 0;
  std::int64_t build_ms = 0;
};
// Settles and changes the meter, which is made if there is none yet. Nothing happens if the organization is gone.
Result<void> change_meter(Unit& unit, const Id& organization, const MeterChange& change);

}  // namespace orlop
