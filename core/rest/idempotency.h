// Requests that have an effect once, however often they are sent: the header Idempotency-Key. The first success is
// stored in the transaction of the change, and answers every later request of the same caller with the same key for 24
// hours. A refused request has changed nothing, and keeps nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/instant.h"
#include "rest/exchange.h"
#include "unit/operation.h"

namespace orlop {

inline constexpr std::size_t idempotency_key_size_max = 255;  // bytes
inline constexpr Duration kept_answer_lifetime = seconds(24 * 60 * 60);

// A request with an Idempotency-Key.
struct KeyedRequest {
  std::string name_key;  // of the kept answer: from caller and key
  std::string digest;    // of the request
};

// Nothing without the header. Errors: invalid.
Result<std::optional<KeyedRequest>> keyed_request(const Request& request, const Caller& caller);

// The answer that was kept; nothing if this is the first request with its key. Errors: key_reused, not_found (the
// caller may not see it any longer).
Result<std::optional<Answer>> find_kept_answer(Unit& unit, const KeyedRequest& request);

// Keeps the answer below the organization in which the request lies, and forgets answers of it that have expired.
// `subject`: what the request names; nullptr: nothing. An answer without an organization, or whose organization was
// just deleted, is not kept.
Result<void> keep_answer(Unit& unit, const KeyedRequest& request, const Record* subject, const Answer& answer);

// Puts the final body in place of the one that was kept.
Result<void> complete_kept_answer(Unit& unit, const KeyedRequest& request, const Answer& answer);

}  // namespace orlop
