// Cost of a cluster in the current month.
#include <utility>

#include "endpoints/billing/parts/account_record.h"
#include "endpoints/billing/parts/meter.h"
#include "endpoints/billing/parts/month.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "wire/writer.h"

namespace orlop::operation_sets::billing::cluster_cost {
namespace {

// Returns the range from the cost so far to the cost at the month's end if the cluster runs on unchanged.
Result<Answer> read_cluster_cost(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  const BillingTerms terms = billing_terms(unit.settings().billing).value_or(BillingTerms{});
  ORLOP_TRY(meter, meter_of(unit, subject.record.id));
  const std::int64_t least = cost_of(meter.month, terms);
  settle(meter, month_end(unit.now()) - Duration{1});
  const std::int64_t most = cost_of(meter.month, terms);
  Writer out;
  out.begin_object().field("min_cost_in_cents", cents_of(least)).field("min_cost", units_of(least));
  out.field("max_cost_in_cents", cents_of(most))
      .field("max_cost", units_of(most))
      .field("currency_code", terms.currency)
      .end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field cluster_fields[] = {
    integer("min_cost_in_cents", "Cost of the month so far, in cents of `currency_code`."),
    number("min_cost", "The same in units of `currency_code`."),
    integer("max_cost_in_cents",
            "Cost at the end of the month if the cluster goes on as now, in cents of `currency_code`."),
    number("max_cost", "The same in units of `currency_code`."),
    text("currency_code", "ISO 4217 code of the currency.").required(),
};
constexpr Shape cluster_shape = {.name = "CostRange", .fields = cluster_fields};

constexpr Operation operations[] = {
    {.path = "{item}/currentCost",
     .name = "get_{family}_current_cost",
     .handle = read_cluster_cost,
     .form = AnswerForm::shape,
     .answer = &cluster_shape,
     .summary = "Get the cost of a cluster in the current month",
     .about = "From what it has cost so far to what it will have cost at the end of the month."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::billing::cluster_cost
