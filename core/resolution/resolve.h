// Resolves the variables of a service: one for each key, with its effective value.
//
//   - The nearest scope wins: service, environment, project, built-in. Within one scope the later variable of the list
//     wins.
//   - An alias has the value of its target, or of the nearest override of the target.
//   - `{{KEY}}` in a value is replaced by the resolved value of KEY; blanks around the key are ignored. An unknown key
//     stays unchanged and is listed. A value that includes a secret becomes a secret.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "resolution/resolved_variable.h"

namespace orlop {

struct ResolvedVariable {
  std::string_view key;  // views into the Variable, like mount_path
  std::string value;
  bool is_secret = false;
  std::string_view mount_path;
  std::string_view secret_manager_access;
  // Key of the secret that the value needs and the store does not have; empty: the value is complete.
  std::string_view missing;
};

// Reference in a value to a key that no visible variable has.
struct UnknownReference {
  std::string_view variable;  // key of the variable with the reference
  std::string_view key;
  bool is_in_secret = false;  // the key is part of a secret value
};

struct Resolution {
  std::vector<ResolvedVariable> variables;  // ascending by key
  // Each key once for a variable, up to unknown_references_max in each list.
  std::vector<UnknownReference> unknown_built_ins;  // keys with the prefix of built-ins
  std::vector<UnknownReference> unknown;            // all others
};

inline constexpr std::size_t unknown_references_max = 100;
inline constexpr std::size_t resolved_size_max = std::size_t{8} << 20;  // bytes of all values
inline constexpr std::size_t reference_depth_max = 100;                 // chained references

// Errors (invalid): references in a cycle, which the message shows ("A -> B -> A"); more than either of the two bounds.
// `built_in_prefix`: prefix of the keys of built-ins.
Result<Resolution> resolve_variables(std::span<const Variable> visible, std::string_view built_in_prefix);

// Visits the literal parts and the references `{{KEY}}` of a text in order. `written`: the reference as it is in the
// text. Stops at the first error of `reference`.
Result<void> visit_references(
    std::string_view text, const std::function<void(std::string_view literal)>& literal,
    const std::function<Result<void>(std::string_view key, std::string_view written)>& reference);

// Returns the cycle that the references of this key reach, "A -> B -> A"; empty if there is none. Reads only variables
// reachable from the key, each once.
std::string find_cycle(std::span<const Variable> visible, std::string_view key);
// Checks all keys.
std::string find_cycle(std::span<const Variable> visible);

// Returns the distinct keys that the value refers to, in order. Views into the value.
std::vector<std::string_view> references_in(const Variable& variable);

}  // namespace orlop
