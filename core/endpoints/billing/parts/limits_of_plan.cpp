#include "endpoints/billing/parts/limits_of_plan.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options/billing_terms.h"
#include "endpoints/services/parts/service_kind.h"
#include "model/registry.h"
#include "unit/unit.h"

namespace orlop {
namespace {

Result<std::vector<Id>> children_of(Unit& unit, const std::vector<Id>& parents, FamilyNumber family) {
  std::vector<Id> ids;
  for (const Id& parent : parents) {
    RecordRange range;
    range.key = parent;
    range.family = family;
    range.fields = RecordRange::Fields::no_text;
    ORLOP_TRY(records, unit.records(range));
    for (const Record& record : records) ids.push_back(record.id);
  }
  return ids;
}

// Family that a resource counts, and the families between it and the organization.
struct Counted {
  std::string_view resource;
  std::string_view family;  // "": services of every kind
  std::span<const std::string_view> between = {};
};
constexpr std::string_view above_environments[] = {"project"};
constexpr std::string_view above_services[] = {"project", "environment"};
constexpr Counted countable[] = {
    {.resource = "clusters", .family = "cluster"},
    {.resource = "members", .family = "member"},
    {.resource = "projects", .family = "project"},
    {.resource = "environments", .family = "environment", .between = above_environments},
    {.resource = "services", .family = "", .between = above_services},
};

bool is_counted(const Counted& counted, const Family& family) {
  return counted.family.empty() ? names_of_kind(family) != nullptr : family.name == counted.family;
}

// Adds up counts that the store maintains, without reading records of the resource.
Result<std::int64_t> count_of(Unit& unit, const Id& organization, std::string_view resource) {
  const Counted& counted = *std::ranges::find(countable, resource, &Counted::resource);
  std::vector<Id> parents{organization};
  for (const std::string_view family : counted.between) {
    ORLOP_TRY(children, children_of(unit, parents, find_family(family)->number));
    parents = std::move(children);
  }
  CountRange range;
  range.keys = parents;
  ORLOP_TRY(counts, unit.counts(range));
  std::int64_t total = 0;
  for (const RecordCount& count : counts) {
    const Family* family = find_family(count.family);
    if (family != nullptr && is_counted(counted, *family)) total += static_cast<std::int64_t>(count.count);
  }
  return total;
}

Result<void> require_at_most(Unit& unit, const Id& organization, std::string_view plan, const PlanLimit& limit,
                             std::int64_t more) {
  ORLOP_TRY(present, count_of(unit, organization, limit.resource));
  const std::int64_t count = present + more;
  if (count <= limit.most) return {};
  return make_error(ErrorCode::conflict, "the plan " + std::string(plan) + " allows " + std::to_string(limit.most) +
                                             " " + limit.resource + ", and the organization would have " +
                                             std::to_string(count) + "; change the plan, or delete some");
}

}  // namespace

Result<void> require_room(Unit& unit, const Id& organization, std::string_view resource, std::int64_t more) {
  const auto terms = billing_terms(unit.settings().billing);
  if (!terms || terms->limits.empty()) return {};
  ORLOP_TRY(record, unit.record(organization));
  if (!record) return {};
  ORLOP_TRY(body, unit.value_of(*record));
  const std::string plan(body->text_or("plan", ""));
  for (const PlanLimit& limit : terms->limits) {
    if (limit.plan == plan && limit.resource == resource)
      ORLOP_CHECK(require_at_most(unit, organization, plan, limit, more));
  }
  return {};
}

Result<void> require_room(Unit& unit, const Family& family, const Id& organization, std::int64_t more) {
  if (unit.settings().billing.empty()) return {};
  const auto counted =
      std::ranges::find_if(countable, [&family](const Counted& each) { return is_counted(each, family); });
  return counted == std::end(countable) ? Result<void>() : require_room(unit, organization, counted->resource, more);
}

Result<void> require_within_limits(Unit& unit, const Id& organization, std::string_view plan) {
  const auto terms = billing_terms(unit.settings().billing);
  if (!terms) return {};
  for (const PlanLimit& limit : terms->limits) {
    if (limit.plan == plan) ORLOP_CHECK(require_at_most(unit, organization, plan, limit, 0));
  }
  return {};
}

}  // namespace orlop
