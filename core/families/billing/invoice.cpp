// An invoice of an organization for a month.
#include "model/family.h"

namespace orlop::families::invoice {
namespace {

constexpr std::string_view statuses[] = {"NOT_PAID", "PAID", "PAYMENT_DUE", "PENDING", "POSTED", "UNKNOWN", "VOIDED"};
constexpr std::string_view line_kinds[] = {"PLAN", "INSTANCES", "CLUSTERS", "BUILDS", "CREDIT"};

constexpr Field line_fields[] = {
    enumeration("kind", line_kinds,
                "Subject of the line. `INSTANCES` and `CLUSTERS`: hours. `BUILDS`: minutes. `CREDIT`: an amount that "
                "is subtracted."),
    text("text", "Description of the line."),
    number("quantity", "Quantity in hours, minutes or months."),
    number("amount", "Amount of the line in `currency_code`."),
};
constexpr Shape line = {.name = "InvoiceLine", .fields = line_fields};

constexpr Field fields[] = {
    integer("total_in_cents", "Amount of the invoice in cents of `currency_code`.").read_only().always_present(),
    number("total", "The same in units of `currency_code`.").read_only().always_present(),
    text("currency_code", "ISO 4217 code of the currency, such as `EUR`.").read_only().always_present(),
    enumeration("status", statuses,
                "Payment of the invoice. `PAID`: paid, or nothing is to be paid. `PENDING`: the payment was requested. "
                "`PAYMENT_DUE`: to be paid by the customer. `NOT_PAID`: the payment "
                "was refused.")
        .read_only()
        .always_present(),
    date_time("period_start", "Begin of the month that is invoiced.").read_only(),
    date_time("period_end", "End of that month.").read_only(),
    list_of("lines", line, "Lines of the invoice.").read_only(),
};

constexpr VerbNeed needs[] = {{Verb::list, Level::administer}, {Verb::read, Level::administer}};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 85,
    .name = "invoice",
    .schema = "Invoice",
    .segment = "invoice",
    .id_name = "invoiceId",
    .about =
        "An invoice states what an organization is charged for a calendar month in UTC. The engine makes it when the "
        "month has ended, if it was opened with the option `billing`.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::list | Verb::read,
    .name_scope = NameScope::none,
    .needs = needs,
    .is_of_billing = true,
};

}  // namespace orlop::families::invoice
