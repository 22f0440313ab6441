// Address of an organization's invoices.
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::billing_info {
namespace {

using namespace shapes;

// Null until the first edit, which must contain the values that invoices need.
constexpr Field line(std::string_view name, std::string_view about) {
  return text(name, about).at_most(255).nullable().defaults_to_null();
}

constexpr Field fields[] = {
    line("first_name", "First name of the person to whom invoices are addressed. Required in an edit."),
    line("last_name", "Last name of that person. Required in an edit."),
    line("email", "Email address to which invoices are sent. Required in an edit."),
    line("address", "Street and number. Required in an edit."),
    line("city", "City. Required in an edit."),
    line("zip", "Postal code. Required in an edit."),
    line("state", "State or province."),
    line("country_code", "Code of the country by ISO 3166-1, two letters, such as `FR`. Required in an edit."),
    line("company", "Name of the company."),
    line("vat_number", "VAT number of the company."),
};

constexpr VerbNeed needs[] = {{Verb::read, Level::administer}, {Verb::edit, Level::administer}};

void check(const Value& record, ValidationContext&, Violations& violations) {
  for (const std::string_view member : {"first_name", "last_name", "email", "address", "city", "zip", "country_code"}) {
    if (!is_given(record, member)) refuse(violations, member, "is required");
  }
  const std::string_view country = record.text_or("country_code", "");
  if (!country.empty() && country.size() != 2)
    refuse(violations, "country_code", "must have two letters, not " + quoted(country));
  const std::string_view email = record.text_or("email", "");
  const std::size_t at = email.find('@');
  if (!email.empty() && (at == 0 || at == std::string_view::npos || at + 1 == email.size()))
    refuse(violations, "email", "must be an email address, not " + quoted(email));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 76,
    .name = "billing_info",
    .schema = "BillingInfo",
    .segment = "billingInfo",
    .id_name = "billingInfoId",
    .about = "The billing information of an organization: to whom invoices are addressed.",
    .parent = "organization",
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .name_scope = NameScope::none,
    .needs = needs,
    .is_of_billing = true,
    .sample = R"({"first_name": "Ada", "last_name": "L", "email": "ada@example.com", "address": "1 rue A", "city": )"
              R"("Paris", "zip": "75001", "country_code": "FR"})",
    .check = check,
};

}  // namespace orlop::families::billing_info
