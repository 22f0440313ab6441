// Cost of an organization in the current month, and usage of each of its environments and clusters.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/billing/parts/account_record.h"
#include "endpoints/billing/parts/meter.h"
#include "endpoints/billing/parts/month.h"
#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::billing::current_cost {
namespace {

BillingTerms terms_of(Unit& unit) { return billing_terms(unit.settings().billing).value_or(BillingTerms{}); }

Result<Answer> read_organization_cost(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  ORLOP_TRY(body, unit.value_of(organization));
  const BillingTerms terms = terms_of(unit);
  const std::string_view plan = body->text_or("plan", "");
  ORLOP_TRY(meter, meter_of(unit, organization.id));
  Writer out;
  out.begin_object().field("plan", plan).field("remaining_trial_day", std::int64_t{0});
  if (unit.settings().billing.empty()) {
    out.field_null("renewal_at");
  } else {
    out.field("renewal_at", month_end(unit.now()));
  }
  out.key("cost").begin_object();
  write_amount(out, terms.plan_price(plan) + cost_of(meter.month, terms), terms);
  out.end_object().end_object();
  return Answer{200, std::move(out).take()};
}

void write_usage(Writer& out, const Usage& usage, const BillingTerms& terms) {
  out.field("instance_hours", static_cast<double>(usage.instance_ms) / 3'600'000)
      .field("cluster_hours", static_cast<double>(usage.cluster_ms) / 3'600'000);
  out.field("build_minutes", static_cast<double>(usage.build_ms) / 60'000).key("cost").begin_object();
  write_amount(out, cost_of(usage, terms), terms);
  out.end_object();
}

Result<Answer> list_usage(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  const BillingTerms terms = terms_of(unit);
  RecordRange range;
  range.key = organization.id;
  range.family = usage_meter_number;
  ORLOP_TRY(records, unit.records(range));
  std::vector<Meter> meters;
  for (const Record& record : records) {
    ORLOP_TRY(body, unit.value_of(record));
    Meter meter = read_meter(*body);
    settle(meter, unit.now());
    if (meter.scope != "ORGANIZATION") meters.push_back(std::move(meter));
  }
  std::ranges::sort(meters, [](const Meter& left, const Meter& right) {
    return std::pair(left.scope, left.scope_id) < std::pair(right.scope, right.scope_id);
  });
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Meter& meter : meters) {
    out.begin_object()
        .field("scope", meter.scope)
        .field("id", meter.scope_id)
        .field("name", meter.name)
        .key("current_month")
        .begin_object();
    write_usage(out, meter.month, terms);
    out.end_object().key("last_month").begin_object();
    write_usage(out, meter.last_month, terms);
    out.end_object().end_object();
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view plans[] = {"FREE",           "TEAM",     "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY",
                                      "PROFESSIONAL",   "BUSINESS", "USER_2025",   "TEAM_2025",  "BUSINESS_2025",
                                      "ENTERPRISE_2025"};
constexpr std::string_view scopes[] = {"CLUSTER", "ENVIRONMENT"};
constexpr Field amount_fields[] = {
    integer("total_in_cents", "Amount in cents of `currency_code`.").required(),
    number("total", "Amount in units of `currency_code`.").required(),
    text("currency_code",
         "ISO 4217 code of the currency, as the option `billing` of the engine has it. Default: `USD`.")
        .required(),
};
constexpr Shape amount = {.name = "Cost", .fields = amount_fields};
constexpr Field organization_fields[] = {
    enumeration("plan", plans, "Plan of the organization."),
    integer("remaining_trial_day", "Days of a trial that are left. Always 0: the engine has no trials."),
    date_time("renewal_at", "End of the current month, when the next invoice is made. Null: billing is off.")
        .nullable(),
    object("cost", amount, "Price of the plan for the month, and cost of what was used in the month so far."),
};
constexpr Shape organization_shape = {.name = "OrganizationCurrentCost", .fields = organization_fields};
constexpr Field month_fields[] = {
    number("instance_hours",
           "Hours of instances of services, each counted from the end of the deployment that started it until its "
           "service was stopped or deleted.")
        .required(),
    number("cluster_hours", "Hours of clusters.").required(),
    number("build_minutes", "Minutes of the builds that have ended.").required(),
    object("cost", amount, "Cost of the usage.").required(),
};
constexpr Shape month_shape = {.name = "UsageOfMonth", .fields = month_fields};
constexpr Field usage_fields[] = {
    enumeration("scope", scopes, "Kind of the resource.").required(),
    uuid("id", "ID of the resource. It may have been deleted.").required(),
    text("name", "Name of the resource when its usage last changed.").required(),
    object("current_month", month_shape, "Usage of the current calendar month in UTC.").required(),
    object("last_month", month_shape, "Usage of the month before.").required(),
};
constexpr Shape usage_shape = {.name = "Usage", .fields = usage_fields};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/currentCost",
     .name = "get_organization_current_cost",
     .handle = read_organization_cost,
     .form = AnswerForm::shape,
     .answer = &organization_shape,
     .summary = "Get the cost of an organization in the current month",
     .about = "The cost since the begin of the calendar month in UTC, credits, and the plan.",
     .need = Level::administer,
     .is_of_billing = true},
    {.path = "/organization/{organizationId}/usage",
     .name = "list_organization_usage",
     .handle = list_usage,
     .form = AnswerForm::shape_list,
     .answer = &usage_shape,
     .summary = "List the usage of the environments and clusters of an organization",
     .about = "Empty unless the engine was opened with the option `billing`.",
     .need = Level::administer,
     .is_of_billing = true},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::billing::current_cost
