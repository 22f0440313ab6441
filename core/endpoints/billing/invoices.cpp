// Files of invoices, and sending them to the billing address.
#include <string>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "records/render_records.h"
#include "records/single.h"
#include "unit/find_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::billing::invoices {
namespace {

Result<Value> billing_info_of(Unit& unit, const Record& organization) {
  ORLOP_TRY(text, render_single(unit, *find_family("billing_info"), organization));
  return parse_stored(text);
}

Result<Answer> find_file(Unit& unit, const Call& call) {
  ORLOP_TRY(invoice, record_on_path(unit, call));
  ORLOP_TRY(organization, require(unit, *find_family("organization"), invoice.parent));
  ORLOP_TRY(info, billing_info_of(unit, organization));
  ORLOP_TRY(text, render(unit, *call.family, invoice));
  ORLOP_TRY(described, parse_stored(text));
  Value input(Value::Object{{"organization_id", Value(to_text(organization.id))},
                            {"invoice", std::move(described)},
                            {"billing_info", std::move(info)}});
  return ask_later(unit, {.question = Question::get_invoice_link, .input = std::move(input)});
}

Result<Answer> send_all(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  ORLOP_TRY(info, billing_info_of(unit, organization));
  RecordRange range;
  range.key = organization.id;
  range.family = find_family("invoice")->number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(invoices, unit.records(range));
  Value ids = Value::list();
  for (const Record& invoice : invoices) ids.append(Value(to_text(invoice.id)));
  Value input(Value::Object{{"organization_id", Value(to_text(organization.id))},
                            {"email", Value(info.text_or("email", ""))},
                            {"invoice_ids", std::move(ids)}});
  return ask_later(
      unit, {.question = Question::send_invoices, .input = std::move(input), .reply = [](const Value& fault) {
               if (fault.as_text().empty()) return Result<Answer>(Answer{202, {}});
               return Result<Answer>(invalid_field("", "the invoices cannot be sent: " + std::string(fault.as_text())));
             }});
}

constexpr Operation operations[] = {
    {.path = "{item}/download",
     .name = "get_{family}_download_link",
     .handle = find_file,
     .form = AnswerForm::shape,
     .answer = &question_shapes::invoice_link,
     .summary = "Get the link of the PDF file of an invoice",
     .need = Level::administer,
     .is_of_billing = true,
     .asks = Question::get_invoice_link},
    {.method = Method::post,
     .path = "/organization/{organizationId}/downloadInvoices",
     .name = "send_organization_invoices",
     .status = 202,
     .access = Access::write,
     .handle = send_all,
     .summary = "Send all invoices of an organization to its billing address",
     .about = "400: they cannot be sent.",
     .need = Level::administer,
     .is_of_billing = true,
     .asks = Question::send_invoices},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("invoice"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::billing::invoices
