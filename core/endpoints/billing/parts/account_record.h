// Billing accounts of organizations.
#pragma once

#include <cstdint>
#include <optional>

#include "base/options/billing_terms.h"
#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Returns the account of the organization; null if billing has been off since the organization was created.
Result<Shared<Record>> find_account(Unit& unit, const Id& organization);
// Returns the account; creates it if absent.
Result<Record> require_account(Unit& unit, const Id& organization);

// Returns the clock's time at the end of this month. Months follow the times of the store, which are ahead of a clock
// that was put back.
Instant month_end_on_clock(const Unit& unit, Instant month);

// Writes the members of an amount of money into an open object: {"total_in_cents", "total", "currency_code"}.
void write_amount(Writer& out, std::int64_t micros, const BillingTerms& terms);
std::int64_t cents_of(std::int64_t micros);
double units_of(std::int64_t micros);

// Returns the credit card that was added last and has not expired; null if none.
Result<Shared<Record>> valid_card(Unit& unit, const Id& organization);

}  // namespace orlop
