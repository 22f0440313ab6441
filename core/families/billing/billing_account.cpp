// The account of an organization with the platform: its credit, and the month of its next invoice.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::billing_account {
namespace {

constexpr Field fields[] = {
    date_time("month", "Begin of the month that is not invoiced yet.").required(),
    integer("credit_micros", "Credit that invoices have not used, in millionths of the currency's unit.")
        .at_least(0)
        .defaults_to(0),
    list_of("credit_codes", FieldKind::text, "Credit codes that the organization has used.")
        .at_most(1000)
        .defaults_to_empty(),
    uuid("charged_invoice_id", "ID of the invoice whose payment was requested. Absent: none."),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = billing_account_number,
    .name = "billing_account",
    .schema = "BillingAccountRecord",
    .about = "The billing account of an organization, which makes an invoice at the end of each month.",
    .parent = "organization",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::schedule,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"month": "2026-01-01T00:00:00Z"})",
};

}  // namespace orlop::families::billing_account
