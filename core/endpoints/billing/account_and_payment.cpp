// Billing account of an organization: makes an invoice when a month has ended, and requests its payment.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/billing/parts/account_record.h"
#include "endpoints/billing/parts/meter.h"
#include "endpoints/billing/parts/month.h"
#include "endpoints/operation_set.h"
#include "external_systems/question.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/store_record.h"

namespace orlop::operation_sets::billing::account_and_payment {
namespace {

// Maximum number of months to invoice after a time without an engine.
constexpr int months_max = 120;

struct Line {
  std::string_view kind;
  std::string text;
  double quantity = 0;
  std::int64_t micros = 0;
};

std::vector<Line> lines_of(const Usage& usage, std::string_view plan, Instant month, const BillingTerms& terms) {
  std::vector<Line> lines;
  const auto add = [&lines](std::string_view kind, std::string text, double quantity, std::int64_t micros) {
    if (quantity > 0 && micros > 0) lines.push_back({kind, std::move(text), quantity, micros});
  };
  add("PLAN", "Plan " + std::string(plan) + ", " + month_name(month), 1, terms.plan_price(plan));
  add("INSTANCES", "Hours of instances of services", static_cast<double>(usage.instance_ms) / 3'600'000,
      instance_cost(usage, terms));
  add("CLUSTERS", "Hours of clusters", static_cast<double>(usage.cluster_ms) / 3'600'000, cluster_cost(usage, terms));
  add("BUILDS", "Minutes of builds", static_cast<double>(usage.build_ms) / 60'000, build_cost(usage, terms));
  return lines;
}

Value describe(const Line& line) {
  Value described = Value::object();
  described.set("kind", Value(line.kind));
  described.set("text", Value(line.text));
  described.set("quantity", Value(line.quantity));
  described.set("amount", Value(static_cast<double>(line.micros) / micros_per_unit));
  return described;
}

// Returns the id of the invoice if an amount is due.
Result<std::optional<Id>> make_invoice(Unit& unit, const Record& account, Value& body, const Usage& usage,
                                       Instant month, const BillingTerms& terms) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), account.parent));
  ORLOP_TRY(described, unit.value_of(organization));
  std::vector<Line> lines = lines_of(usage, described->text_or("plan", ""), month, terms);
  std::int64_t total = 0;
  for (const Line& line : lines) total += line.micros;
  const std::int64_t credit = body.integer_or("credit_micros", 0);
  const std::int64_t used = std::min(total, credit);
  if (used > 0) lines.push_back({"CREDIT", "Credit", 1, -used});
  body.set("credit_micros", Value(credit - used));
  total -= used;

  Value invoice = Value::object();
  invoice.set("total_in_cents", Value(cents_of(total)));
  invoice.set("total", Value(units_of(total)));
  invoice.set("currency_code", Value(terms.currency));
  invoice.set("status", Value(cents_of(total) == 0 ? "PAID" : "PAYMENT_DUE"));
  invoice.set("period_start", Value(to_text(month)));
  invoice.set("period_end", Value(to_text(month_end(month))));
  Value listed = Value::list();
  for (const Line& line : lines) listed.append(describe(line));
  invoice.set("lines", std::move(listed));
  Record record;
  record.id = unit.make_id();
  record.family = find_family("invoice")->number;
  record.parent = account.parent;
  record.organization = account.organization;
  const Id id = record.id;
  ORLOP_CHECK(put_new_value(unit, *find_family("invoice"), std::move(record), std::move(invoice)));
  return cents_of(total) == 0 ? std::nullopt : std::optional(id);
}

Result<void> set_status(Unit& unit, const Id& id, std::string_view status) {
  ORLOP_TRY(invoice, unit.record(id));
  if (!invoice) return {};
  ORLOP_TRY(body, full_value(*invoice));
  if (body.text_or("status", "") == status) return {};
  body.set("status", Value(status));
  const auto stored =
      put_value(unit, *find_family("invoice"), *invoice, std::move(body), EventKind::edited, {"status"});
  return stored ? Result<void>() : Result<void>(stored.error());
}

// Asks the payment provider to charge the card, if there is one.
Result<void> request_payment(Unit& unit, const Record& account, const Id& invoice_id, Value& body) {
  ORLOP_TRY(card, valid_card(unit, account.parent));
  if (!card) return {};
  ORLOP_TRY(invoice, require(unit, *find_family("invoice"), invoice_id));
  ORLOP_TRY(described, unit.value_of(invoice));
  ORLOP_TRY(whole, full_value(*card));
  Value input = Value::object();
  input.set("organization_id", Value(to_text(account.organization)));
  input.set("invoice_id", Value(to_text(invoice_id)));
  input.set("total_in_cents", Value(described->integer_or("total_in_cents", 0)));
  input.set("currency_code", Value(described->text_or("currency_code", "")));
  input.set("card_token", Value(whole.text_or("token", "")));
  unit.ask({account.id, Question::charge_invoice, std::move(input)});
  ORLOP_CHECK(set_status(unit, invoice_id, "PENDING"));
  body.set("charged_invoice_id", Value(to_text(invoice_id)));
  return {};
}

// Stores the status of the invoice after its payment was settled, or can no longer be requested.
Result<std::optional<Instant>> end_payment(Unit& unit, Record account, Machine machine, Value body,
                                           std::string_view status) {
  if (const auto invoice = parse_id(body.text_or("charged_invoice_id", "")))
    ORLOP_CHECK(set_status(unit, *invoice, status));
  const Instant month = parse_instant(body.text_or("month", "")).value_or(month_begin(unit.now()));
  body.erase("charged_invoice_id");
  ORLOP_CHECK(edit_record(unit, *find_family(billing_account_number), std::move(account), body));
  machine.deadline = month_end_on_clock(unit, month);
  const std::optional<Instant> next = machine.deadline;
  unit.put(std::move(machine));
  return next;
}

// The process ended before it stored the answer.
Result<std::optional<Instant>> ask_again(Unit& unit, Record account, Machine machine, Value body, Instant month) {
  const auto invoice = parse_id(body.text_or("charged_invoice_id", ""));
  ORLOP_TRY(card, valid_card(unit, account.parent));
  if (!invoice || !card)
    return end_payment(unit, std::move(account), std::move(machine), std::move(body), "PAYMENT_DUE");
  ORLOP_CHECK(request_payment(unit, account, *invoice, body));
  return std::optional(month_end_on_clock(unit, month));
}

Result<std::optional<Instant>> close_months(Unit& unit, Machine machine) {
  const auto terms = billing_terms(unit.settings().billing);
  ORLOP_TRY(account, unit.record(machine.id));
  if (!account || !terms) return std::optional<Instant>();
  ORLOP_TRY(stored, unit.value_of(*account));
  Value body = *stored;
  Instant month = parse_instant(body.text_or("month", "")).value_or(month_begin(unit.now()));
  if (body.has("charged_invoice_id")) return ask_again(unit, *account, std::move(machine), std::move(body), month);
  if (unit.now() < month_end(month)) return std::optional(month_end_on_clock(unit, month));
  std::optional<Id> unpaid;
  for (int closed = 0; closed < months_max && month_end(month) <= unit.now(); ++closed) {
    ORLOP_TRY(usage, usage_of_month(unit, account->parent, month));
    ORLOP_TRY(invoice, make_invoice(unit, *account, body, usage, month, *terms));
    if (invoice) unpaid = invoice;
    month = month_end(month);
  }
  body.set("month", Value(to_text(month)));
  body.erase("charged_invoice_id");
  ORLOP_CHECK(forget_months(unit, account->parent, month));
  if (unpaid) ORLOP_CHECK(request_payment(unit, *account, *unpaid, body));
  // The account is due until the payment is answered: after a crash the next engine asks again.
  const Instant next = month_end_on_clock(unit, month);
  machine.deadline = body.has("charged_invoice_id") ? std::nullopt : std::optional(next);
  machine.changed_at = unit.now();
  unit.put(std::move(machine));
  ORLOP_CHECK(edit_record(unit, *find_family(billing_account_number), *account, body));
  return std::optional(next);
}

// Without an answer the invoice stays due, to be paid by the customer.
Result<std::optional<Instant>> take_payment(Unit& unit, Machine machine, const Result<Value>& answer) {
  ORLOP_TRY(account, unit.record(machine.id));
  if (!account) return std::optional<Instant>();
  ORLOP_TRY(body, unit.value_of(*account));
  const bool is_paid = answer && answer->as_text().empty();
  Value changed = *body;
  return end_payment(unit, *account, std::move(machine), std::move(changed),
                     is_paid  ? "PAID"
                     : answer ? "NOT_PAID"
                              : "PAYMENT_DUE");
}

Result<void> open_account(Unit& unit, const Creation& creation) {
  if (creation.family.number == billing_account_number || unit.settings().billing.empty()) return {};
  const auto made = require_account(unit, creation.record.id);
  return made ? Result<void>() : Result<void>(made.error());
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("billing_account", "organization"),
    .created = open_account,
    .due = close_months,
    .answered = take_payment,
};

}  // namespace orlop::operation_sets::billing::account_and_payment
