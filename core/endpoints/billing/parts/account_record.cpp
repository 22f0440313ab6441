#include "endpoints/billing/parts/account_record.h"

#include <utility>

#include "endpoints/billing/parts/month.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/find_record.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// The account's machine is a schedule, due when the month ends.
void put_machine(Unit& unit, const Record& account) {
  Machine machine;
  machine.id = account.id;
  machine.family = account.family;
  machine.owner = account.id;
  machine.partition = partition_of(account.organization);
  machine.changed_at = unit.now();
  machine.active = true;
  machine.deadline = month_end_on_clock(unit, unit.now());
  unit.put(std::move(machine));
  unit.wake(account.id, partition_of(account.organization));
}

}  // namespace

Result<Shared<Record>> find_account(Unit& unit, const Id& organization) {
  return find_child(unit, organization, billing_account_number);
}

Result<Record> require_account(Unit& unit, const Id& organization) {
  ORLOP_TRY(account, find_account(unit, organization));
  if (account) return std::move(*account);
  const Value body(Value::Object{{"month", Value(to_text(month_begin(unit.now())))}});
  ORLOP_TRY(made, create_record(unit, *find_family(billing_account_number), organization, body));
  put_machine(unit, made);
  return made;
}

Instant month_end_on_clock(const Unit& unit, Instant month) {
  return unit.clock_time() + (month_end(month) - unit.now());
}

std::int64_t cents_of(std::int64_t micros) { return (micros + micros_per_cent / 2) / micros_per_cent; }
double units_of(std::int64_t micros) { return static_cast<double>(cents_of(micros)) / 100; }

void write_amount(Writer& out, std::int64_t micros, const BillingTerms& terms) {
  out.field("total_in_cents", cents_of(micros)).field("total", units_of(micros)).field("currency_code", terms.currency);
}

Result<Shared<Record>> valid_card(Unit& unit, const Id& organization) {
  RecordRange range;
  range.key = organization;
  range.family = find_family("credit_card")->number;
  ORLOP_TRY(cards, unit.records(range));
  for (auto card = cards.rbegin(); card != cards.rend(); ++card) {
    ORLOP_TRY(body, unit.value_of(*card));
    // Last month in which the card is valid, counted from year 0.
    const std::int64_t end = body->integer_or("expiry_year", 0) * 12 + body->integer_or("expiry_month", 0);
    const std::string now = to_text(unit.now());
    const std::int64_t current = std::stoll(now.substr(0, 4)) * 12 + std::stoll(now.substr(5, 2));
    if (end >= current) return Shared<Record>(std::move(*card));
  }
  return Shared<Record>();
}

}  // namespace orlop
