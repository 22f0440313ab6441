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

// The value of the request's Authorization header; nothing if it has none. Error unauthenticated if it has several.
Result<std::optional<std::string_view>> authorization_of(const Request& request);

// The caller of a valid token, and the record that stores its last use.
struct Proof {
  Caller caller;
  Shared<Record> digest;          // of an API token whose last use is an hour old or more
  std::string policy;             // that the token is bound to; "" for none
  std::string role;               // the name of the token's role
  std::optional<SignIn> sign_in;  // of a person, by an enterprise connection
};

// "Bearer <API token or token of a person>" or "Token <API token>". Errors: unauthenticated, with the same message for
// every reason; those of the store; external_failed and external_timeout if a token of a person could not be checked.
// External systems are asked while no transaction is open. API tokens expire by `agreed_time`; nullptr: by `now`, as
// tokens of persons do.
Result<Proof> authenticate(Store& store, std::string_view authorization, const Settings& settings, Instant now,
                           AgreedTime* agreed_time = nullptr);

// Error forbidden if the token is bound to a policy that does not allow the request, or that no external system
// evaluates; external_failed and external_timeout if the evaluation failed. To be called while no transaction is open.
Result<void> require_allowed(const Proof& proof, const Request& request, ExternalSystems* systems);

}  // namespace orlop
