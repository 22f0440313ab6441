// Refusals of requests that need a secret that a snapshot left out (model/missing_secret.h).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// `secret`: "token of git_token \"github\"".
std::string missing_reason(std::string_view secret);

// Returns the reason for the first secret that the record lacks; "" if it has all. Errors: storage_corrupt.
Result<std::string> missing_reason_of(const Record& record);

// Error conflict if the record lacks a secret.
Result<void> require_secrets(const Record& record);

}  // namespace orlop
