// Operations of an organization on its billing account: credit codes, validity, id at the payment provider.
#include <algorithm>
#include <string>
#include <utility>

#include "endpoints/billing/parts/account_record.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::billing::credit {
namespace {

Result<Answer> add_code(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  const std::string code(call.body->text_or("code", ""));
  const auto terms = billing_terms(unit.settings().billing);
  const auto amount = terms ? terms->credit(code) : std::nullopt;
  if (!amount) return invalid_field("code", "must be a credit code, not \"" + code.substr(0, 60) + "\"");
  ORLOP_TRY(account, require_account(unit, organization.id));
  ORLOP_TRY(stored, unit.value_of(account));
  Value body = *stored;
  Value used = body.has("credit_codes") ? *body.find("credit_codes") : Value::list();
  if (std::ranges::any_of(used.items(), [&code](const Value& each) { return each.as_text() == code; })) {
    return invalid_field("code",
                         "must be a code that the organization has not used; \"" + code.substr(0, 60) + "\" was used");
  }
  used.append(Value(code));
  body.set("credit_codes", std::move(used));
  body.set("credit_micros", Value(body.integer_or("credit_micros", 0) + *amount));
  ORLOP_CHECK(edit_record(unit, *find_family(billing_account_number), std::move(account), body));
  return Answer{200, {}};
}

// Returns the fault of the account; "" if it is in order.
Result<std::string> fault_of(Unit& unit, const Record& organization) {
  const auto terms = billing_terms(unit.settings().billing);
  if (!terms) return std::string();
  RecordRange range;
  range.key = organization.id;
  range.family = find_family("invoice")->number;
  ORLOP_TRY(invoices, unit.records(range));
  for (const Record& invoice : invoices) {
    ORLOP_TRY(body, unit.value_of(invoice));
    if (body->text_or("status", "") == "NOT_PAID")
      return std::string("the payment of the invoice ") + to_text(invoice.id) + " was refused";
  }
  ORLOP_TRY(described, unit.value_of(organization));
  if (terms->plan_price(described->text_or("plan", "")) == 0) return std::string();
  ORLOP_TRY(card, valid_card(unit, organization.id));
  return card ? std::string()
              : std::string("the plan is charged, and the organization has no credit card that is valid");
}

Result<Answer> read_status(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  ORLOP_TRY(fault, fault_of(unit, organization));
  Writer out;
  out.begin_object().field("is_valid", fault.empty());
  if (!fault.empty()) out.field("message", fault);
  out.end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> read_external_id(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  Writer out;
  out.begin_object().field("id", organization.id).end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field code_fields[] = {
    text("code", "Credit code, as the option `billing` of the engine has it.").required().at_least(1).at_most(64)};
constexpr Shape code_shape = {.name = "OrganizationCreditCodeRequest", .fields = code_fields};
constexpr Field status_fields[] = {
    boolean("is_valid", "True if no payment was refused and a plan that is charged has a valid credit card.")
        .required(),
    text("message",
         "Reason why it is not valid: a payment that was refused, or no valid credit card for a plan that is charged. "
         "Absent: nothing."),
};
constexpr Shape status_shape = {.name = "BillingStatus", .fields = status_fields};
constexpr Field id_fields[] = {text("id",
                                    "ID of the organization at the payment provider. It is the organization's own ID, "
                                    "with which the engine asks for payments.")
                                   .required()};
constexpr Shape id_shape = {.name = "BillingExternalId", .fields = id_fields};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "/organization/{organizationId}/creditCode",
     .name = "add_organization_credit_code",
     .access = Access::write,
     .handle = add_code,
     .body = &code_shape,
     .is_body_required = true,
     .summary = "Add a credit code to an organization",
     .about = "Its amount is subtracted from the next invoices. An organization can use each code once. 400: the code "
              "is not known, or was used.",
     .need = Level::administer,
     .is_of_billing = true},
    {.path = "/organization/{organizationId}/billingStatus",
     .name = "get_organization_billing_status",
     .handle = read_status,
     .form = AnswerForm::shape,
     .answer = &status_shape,
     .summary = "Get whether the billing account of an organization is in order",
     .about = "Invoices that are due and not paid put it out of order.",
     .need = Level::administer,
     .is_of_billing = true},
    {.path = "/organization/{organizationId}/billingExternalId",
     .name = "get_organization_billing_external_id",
     .handle = read_external_id,
     .form = AnswerForm::shape,
     .answer = &id_shape,
     .summary = "Get the ID of an organization at the payment provider",
     .about = "The ID under which the host of the platform has the organization as a customer.",
     .need = Level::administer,
     .is_of_billing = true},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::billing::credit
