#include "base/options/billing_terms.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace orlop {
namespace {

constexpr std::size_t name_size_max = 64;
constexpr std::size_t decimals_max = 6;
constexpr std::int64_t units_max = 1'000'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size() && !text.starts_with('-');
  return is_whole && number <= units_max ? std::optional(number) : std::nullopt;
}

// Parses an amount such as "0.02" into millionths.
std::optional<std::int64_t> amount_of(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto units = whole_number(text.substr(0, point));
  if (!units) return std::nullopt;
  if (point == std::string_view::npos) return *units * micros_per_unit;
  std::string decimals(text.substr(point + 1));
  if (decimals.empty() || decimals.size() > decimals_max) return std::nullopt;
  decimals.resize(decimals_max, '0');
  const auto micros = whole_number(decimals);
  return micros ? std::optional(*units * micros_per_unit + *micros) : std::nullopt;
}

Error refused(std::string_view entry, std::string_view why) {
  return make_error(ErrorCode::invalid, "\"" + std::string(entry.substr(0, name_size_max)) + "\" " + std::string(why));
}

Result<void> read_amount(std::string_view entry, std::string_view value, std::int64_t& into) {
  const auto amount = amount_of(value);
  if (!amount) return refused(entry, "must give an amount from 0 to 1000000000 with at most 6 decimals, such as 0.02");
  into = *amount;
  return {};
}

Result<void> read_named(std::string_view entry, std::string_view name, std::string_view value,
                        std::vector<NamedAmount>& into) {
  if (name.empty() || name.size() > name_size_max)
    return refused(entry, "must have a name of 1 to 64 bytes after the first point");
  NamedAmount named{std::string(name)};
  ORLOP_CHECK(read_amount(entry, value, named.micros));
  into.push_back(std::move(named));
  return {};
}

Result<void> read_limit(std::string_view entry, std::string_view name, std::string_view value,
                        std::vector<PlanLimit>& into) {
  const std::size_t point = name.rfind('.');
  const std::string_view resource = point == std::string_view::npos ? std::string_view() : name.substr(point + 1);
  if (point == 0 || std::ranges::find(limited_resources, resource) == std::end(limited_resources)) {
    return refused(
        entry,
        "must name a plan and projects, environments, services, clusters or members, such as limit.FREE.clusters=1");
  }
  const auto most = whole_number(value);
  if (!most) return refused(entry, "must give a whole number from 0 to 1000000000");
  into.push_back({std::string(name.substr(0, point)), std::string(resource), *most});
  return {};
}

const NamedAmount* find_named(std::span<const NamedAmount> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &NamedAmount::name);
  return found == all.end() ? nullptr : &*found;
}

bool is_currency(std::string_view code) {
  return code.size() == 3 && std::ranges::all_of(code, [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

}  // namespace

std::int64_t BillingTerms::plan_price(std::string_view plan) const {
  const NamedAmount* found = find_named(plans, plan);
  return found == nullptr ? 0 : found->micros;
}

std::optional<std::int64_t> BillingTerms::limit(std::string_view plan, std::string_view resource) const {
  const auto found = std::ranges::find_if(
      limits, [&](const PlanLimit& each) { return each.plan == plan && each.resource == resource; });
  return found == limits.end() ? std::nullopt : std::optional(found->most);
}

std::optional<std::int64_t> BillingTerms::credit(std::string_view code) const {
  const NamedAmount* found = find_named(credits, code);
  return found == nullptr ? std::nullopt : std::optional(found->micros);
}

Result<void> read_billing_entry(std::string_view entry, BillingTerms& terms) {
  const std::size_t equals = entry.find('=');
  const std::string_view name = entry.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : entry.substr(equals + 1);
  if (name == "currency") {
    if (!is_currency(value)) return refused(entry, "must give three capital letters of ISO 4217, such as EUR");
    terms.currency = value;
    return {};
  }
  if (name == "instance_hour") return read_amount(entry, value, terms.instance_hour);
  if (name == "cluster_hour") return read_amount(entry, value, terms.cluster_hour);
  if (name == "build_minute") return read_amount(entry, value, terms.build_minute);
  if (name.starts_with("plan.")) return read_named(entry, name.substr(5), value, terms.plans);
  if (name.starts_with("credit.")) return read_named(entry, name.substr(7), value, terms.credits);
  if (name.starts_with("limit.")) return read_limit(entry, name.substr(6), value, terms.limits);
  return refused(entry,
                 "must be currency, instance_hour, cluster_hour, build_minute, plan.NAME, limit.PLAN.RESOURCE or "
                 "credit.CODE, then = and a value");
}

std::optional<BillingTerms> billing_terms(std::span<const std::string> entries) {
  if (entries.empty()) return std::nullopt;
  BillingTerms terms;
  for (const std::string& entry : entries) {
    if (!read_billing_entry(entry, terms)) continue;  // refused when the engine was opened
  }
  return terms;
}

}  // namespace orlop
