// Who sends a request: what its Authorization header proves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/port.h"
#include "base/result.h"
#include "base/settings.h"
#include "ops/caller.h"
#include "rest/exchange.h"
#include "store/store.h"

namespace orlop {

// The value of the request's Authorization header; nothing if it has none. Error unauthenticated if it has several.
Result<std::optional<std::string_view>> authorization_of(const Request& request);

// What a token proved, and where its last use is kept.
struct Proof {
  Caller caller;
  std::optional<Record> digest;  // of an API token whose last use is an hour old or more
  std::string policy;            // that the token is bound to; "" for none
  std::string role;              // the name of the token's role
};

// "Bearer <API token or token of a person>" or "Token <API token>". Errors: unauthenticated, in the same words whatever is wrong;
// those of the store; driver_failed if the token authenticator cannot tell. The token authenticator is called while no transaction is open.
Result<Proof> authenticate(Store& store, std::string_view authorization, const Settings& settings, Instant now);

// Error forbidden unless the policy that the token is bound to, if it is, allows the request. Without a policy evaluator none does. Error
// driver_failed if the policy evaluator cannot tell.
Result<void> require_allowed(const Proof& proof, const Request& request, PolicyEvaluator* policy_evaluator);

}  // namespace orlop
