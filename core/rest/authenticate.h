// Authentication of a request by its Authorization header.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/options/settings.h"
#include "base/port.h"
#include "base/result.h"
#include "endpoints/access/parts/sign_in.h"
#include "rest/exchange.h"
#include "store/store.h"
#include "unit/agreed_time.h"
#include "unit/caller.h"

namespace orlop {

// Returns the value of the request's Authorization header, or nullopt. Error unauthenticated if it has several.
Result<std::optional<std::string_view>> authorization_of(const Request& request);

// The caller of a valid token, and the facts about the token.
struct Proof {
  Caller caller;
  Shared<Record> digest;          // record of an API token whose last use must be updated: it is an hour old or more
  std::string policy;             // policy that the token is bound to; "" for none
  std::string role;               // name of the token's role
  std::optional<SignIn> sign_in;  // of a person who signs in by an enterprise connection
};

// Checks "Bearer <API token or token of a person>" or "Token <API token>". Asks external systems while no transaction
// is open. API tokens expire by `agreed_time`; if it is nullptr, by `now`, as tokens of persons do. Errors:
// unauthenticated, with the same message for every reason; those of the store; external_failed and external_timeout if
// a token of a person could not be checked.
Result<Proof> authenticate(Store& store, std::string_view authorization, const Settings& settings, Instant now,
                           AgreedTime* agreed_time = nullptr);

// Checks the policy of the token. Call it while no transaction is open. Errors: forbidden if the policy does not allow
// the request, or no external system evaluates it; external_failed and external_timeout if the evaluation failed.
Result<void> require_allowed(const Proof& proof, const Request& request, ExternalSystems* systems);

}  // namespace orlop
