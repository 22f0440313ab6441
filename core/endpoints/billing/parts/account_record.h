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

// The account of the organization; nothing: billing was off ever since the organization was created.
Result<Shared<Record>> find_account(Unit& unit, const Id& organization);
// The same, made if there is none yet.
Result<Record> require_account(Unit& unit, const Id& organization);

// When the clock says that this month has ended: months are those of what is stored, which a clock that was put back is
// behind.
Instant month_end_on_clock(const Unit& unit, Instant month);

// {"total_in_cents", "total", "currency_code"}: the members of an amount of money, into an object that is begun.
void write_amount(Writer& out, std::int64_t micros, const BillingTerms& terms);
std::int64_t cents_of(std::int64_t micros);
double units_of(std::int64_t micros);

// The credit card that was added last and has not expired; nothing: there is none.
Result<Shared<Record>> valid_card(Unit& unit, const Id& organization);

}  // namespace orlop
