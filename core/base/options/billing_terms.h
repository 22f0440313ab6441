// The terms of billing, as the option `billing` of an engine gives them: prices, currency, limits of plans, credit
// codes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace orlop {

// Amounts of money are counted in millionths of the currency's unit.
inline constexpr std::int64_t micros_per_unit = 1'000'000;
inline constexpr std::int64_t micros_per_cent = 10'000;

// How many resources of a kind an organization with the plan can have.
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
  std::vector<NamedAmount> plans;  // a month of each
  std::vector<PlanLimit> limits;
  std::vector<NamedAmount> credits;  // by code

  std::int64_t plan_price(std::string_view plan) const;                                       // 0: it has none
  std::optional<std::int64_t> limit(std::string_view plan, std::string_view resource) const;  // nothing: there is none
  std::optional<std::int64_t> credit(std::string_view code) const;                            // nothing: no such code
};

// Reads one entry of the option into the terms. Error invalid: says what is wrong with it.
Result<void> read_billing_entry(std::string_view entry, BillingTerms& terms);

// The terms of entries that were checked when the engine was opened. Nothing if there are none: billing is off.
std::optional<BillingTerms> billing_terms(std::span<const std::string> entries);

}  // namespace orlop
