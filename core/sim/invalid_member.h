// Errors about one member of the input of a simulation.
#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "model/value.h"
#include "sim/rules/distribution.h"

namespace orlop {

// `member` is its path, such as "rules[0].times", and `reason` continues the sentence: "must be …, not …".
inline Error invalid_member(std::string member, std::string reason) {
  Error error = invalid(member + " " + reason);
  error.violations.push_back({std::move(member), std::move(reason)});
  return error;
}

// `path` ends with a dot, or is empty: then `what` names the whole input.
inline Error not_an_object(const std::string& path, const std::string& what, const Value& given) {
  const std::string reason = "must be an object, not " + shown(given);
  return path.empty() ? invalid(what + " " + reason) : invalid_member(path.substr(0, path.size() - 1), reason);
}

}  // namespace orlop
