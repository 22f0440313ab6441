// Billing terms from the engine option `billing`: prices, currency, limits of plans, credit codes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace orlop {

// Amounts of money are in millionths of the currency's unit.
inline constexpr std::int64_t micros_per_unit = 1'000'000;
inline constexpr std::int64_t micros_per_cent = 10'000;

// Maximum number of resources of a kind that an organization with the plan can have.
struct PlanLimit {
  std::string plan;
  std::string resource;  // one of limited_resources
  std::int64_t most = 0;
};

struct NamedAmount {
  std::string name;
  std::int64_t micros = 0;
};

inline constexpr std::string_view limited_resources[] = {"projects", "environments", "services", "clusters", "members"};

struct BillingTerms {
  std::string currency = "USD";
  std::int64_t instance_hour = 0;
  std::int64_t cluster_hour = 0;
  std::int64_t build_minute = 0;
  std::vector<NamedAmount> plans;  // price of a month, by plan
  std::vector<PlanLimit> limits;
  std::vector<NamedAmount> credits;  // by code

  std::int64_t plan_price(std::string_view plan) const;  // 0 if the plan has no price
  std::optional<std::int64_t> limit(std::string_view plan, std::string_view resource) const;  // nullopt if unlimited
  std::optional<std::int64_t> credit(std::string_view code) const;                            // nullopt if unknown
};

// Reads one entry of the option into the terms. Error invalid: states the fault of the entry.
Result<void> read_billing_entry(std::string_view entry, BillingTerms& terms);

// Returns the terms of the entries, which were checked when the engine was opened; nullopt (billing is off) if there
// are none.
std::optional<BillingTerms> billing_terms(std::span<const std::string> entries);

}  // namespace orlop
