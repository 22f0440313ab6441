// How two configurations differ, for people and programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/value.h"
#include "releases/release_records.h"

namespace orlop {

// A member or item that differs. A secret is shown as "***".
struct Difference {
  // JSON Pointer (RFC 6901). An item of a list whose items all have different keys, names or ids is named by that:
  // "/variables/PORT/value".
  std::string path;
  std::optional<Value> before;  // nullopt: it was added
  std::optional<Value> after;   // nullopt: it was removed
  bool is_secret = false;       // it is or holds a secret
};

// In the order of the members.
std::vector<Difference> differences_between(ReleasedConfiguration before, ReleasedConfiguration after);

}  // namespace orlop
