// The header Idempotency-Key: a request that is sent several times takes effect once. The first successful answer is
// stored in the transaction of the change, and returned for every later request of the same caller with the same key
// for 24 hours. The answer of a refused request is not kept, because it has changed nothing.
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
  std::string name_key;  // name key of the kept answer, made from caller and key
  std::string digest;    // digest of the request
};

// Returns nullopt without the header. Errors: invalid.
Result<std::optional<KeyedRequest>> keyed_request(const Request& request, const Caller& caller);

// Returns the kept answer, or nullopt for the first request with its key. Errors: key_reused, not_found (the caller may
// not see the answer any more).
Result<std::optional<Answer>> find_kept_answer(Unit& unit, const KeyedRequest& request);

// Keeps the answer in the organization of the request, and removes expired answers of that organization. `subject`: the
// resource that the request names, or nullptr. An answer without an organization, or whose organization was just
// deleted, is not kept.
Result<void> keep_answer(Unit& unit, const KeyedRequest& request, const Record* subject, const Answer& answer);

// Replaces the kept body by the final one.
Result<void> complete_kept_answer(Unit& unit, const KeyedRequest& request, const Answer& answer);

}  // namespace orlop
