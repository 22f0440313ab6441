// A credit card: data that identifies it to people, and the token of the payment provider. The number is never stored.
#include <algorithm>
#include <string>

#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop {
namespace computations {
ComputeFunction card_is_expired;
}  // namespace computations

namespace families::credit_card {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("number", "Number of the card, 12 to 19 digits. Only its brand and last four digits are stored.")
        .required()
        .input_only()
        .at_least(12)
        .at_most(23),
    text("cvv", "Card verification value, 3 or 4 digits. Not stored.").required().input_only().at_least(3).at_most(4),
    integer("expiry_month", "Month in which the card expires, 1 to 12.").required().at_least(1).at_most(12),
    integer("expiry_year", "Year in which the card expires, 2000 to 2100.").required().at_least(2000).at_most(2100),
    text("token", "Token of the card at the payment provider. Never returned.").nullable().secret(),
    text("last_digit", "Last four digits of the number.").read_only().always_present(),
    text("brand", "Brand of the card, such as `VISA`.").read_only().always_present(),
    computed(boolean("is_expired", "True if the card has expired."), computations::card_is_expired).always_present(),
};

constexpr VerbNeed needs[] = {
    {Verb::create, Level::administer}, {Verb::list, Level::administer}, {Verb::remove, Level::administer}};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Returns the number without the spaces between groups.
std::string digits_of(std::string_view number) {
  std::string digits(number);
  std::erase(digits, ' ');
  return digits;
}

std::string_view brand_of(std::string_view number) {
  if (number.starts_with('4')) return "VISA";
  if (number.starts_with("34") || number.starts_with("37")) return "AMERICAN_EXPRESS";
  if (number.starts_with('5') || number.starts_with('2')) return "MASTERCARD";
  return "OTHER";
}

// The messages do not repeat the values.
void check(const Value& record, ValidationContext&, Violations& violations) {
  const std::string number = digits_of(record.text_or("number", ""));
  const bool is_number = number.size() >= 12 && number.size() <= 19 && std::ranges::all_of(number, is_digit);
  if (record.has("number") && !is_number) refuse(violations, "number", "must have 12 to 19 digits");
  if (record.has("cvv") && !std::ranges::all_of(record.text_or("cvv", ""), is_digit))
    refuse(violations, "cvv", "must have 3 or 4 digits");
}

void complete(Value& record, ValidationContext& context) {
  if (record.has("number")) {
    const std::string number = digits_of(record.text_or("number", ""));
    record.set("last_digit", Value(number.substr(number.size() < 4 ? 0 : number.size() - 4)));
    record.set("brand", Value(brand_of(number)));
  } else {
    keep_from(record, context.previous(), {"last_digit", "brand"});
  }
  record.erase("number");
  record.erase("cvv");
  drop_nulls(record, {"token"});
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 77,
    .name = "credit_card",
    .schema = "CreditCard",
    .segment = "creditCard",
    .id_name = "creditCardId",
    .about =
        "A credit card with which an organization pays. The engine keeps its last digits and the token of the payment "
        "provider, never its number.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::remove,
    .name_scope = NameScope::none,
    .needs = needs,
    .is_of_billing = true,
    .sample =
        R"({"number": "4242 4242 4242 4242", "cvv": "123", "expiry_month": 12, "expiry_year": 2030, "token": "tok_1"})",
    .check = check,
    .complete = complete,
};

}  // namespace families::credit_card
}  // namespace orlop
