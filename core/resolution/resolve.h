// The variables that a service is given: one for each key, with the value that reaches it.
//
//  - The nearest scope wins: service, environment, project, built-in. Within one scope the later variable of the list
//    wins.
//  - An alias has the value of the variable that it names, or of the nearest override of that variable.
//  - `{{KEY}}` in a value is replaced by the resolved value of KEY; blanks around the key are ignored. An unknown key
//    stays as it is, and is listed. A value that takes in a secret becomes a secret.
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
  std::string_view key;  // of the Variable that it comes from, like mount_path
  std::string value;
  bool is_secret = false;
  std::string_view mount_path;
  std::string_view secret_manager_access;
  // The key of the secret whose value it would have, and that the store does not have; "": it has its value.
  std::string_view missing;
};

// A reference in a value to a key that no visible variable has.
struct UnknownReference {
  std::string_view variable;  // the key of the variable that holds it
  std::string_view key;
  bool is_in_secret = false;  // the key is a part of a secret value
};

struct Resolution {
  std::vector<ResolvedVariable> variables;  // ascending by key
  // Each once for a variable, the first unknown_references_max of each list.
  std::vector<UnknownReference> unknown_built_ins;  // keys that begin as those of built-ins do
  std::vector<UnknownReference> unknown;            // the others
};

inline constexpr std::size_t unknown_references_max = 100;
inline constexpr std::size_t resolved_size_max = std::size_t{8} << 20;  // bytes of all values together
inline constexpr std::size_t reference_depth_max = 100;                 // references from value to value

// Errors (invalid): references in a cycle, which the message names ("A -> B -> A"); more than one of the two bounds.
// `built_in_prefix`: how keys of built-ins begin.
Result<Resolution> resolve_variables(std::span<const Variable> visible, std::string_view built_in_prefix);

// The literal parts and the keys of a text with references `{{KEY}}`, in their order. `written`: the reference as it
// stands in the text. Ends with the first error of `reference`.
Result<void> visit_references(
    std::string_view text, const std::function<void(std::string_view literal)>& literal,
    const std::function<Result<void>(std::string_view key, std::string_view written)>& reference);

// The cycle that the references of this key lead into, "A -> B -> A"; "" if there is none. Looks at no other variable
// than those that the key leads to, at each once.
std::string find_cycle(std::span<const Variable> visible, std::string_view key);
// The same of all keys.
std::string find_cycle(std::span<const Variable> visible);

// The keys that the value refers to, each once, in their order. Within the value.
std::vector<std::string_view> references_in(const Variable& variable);

}  // namespace orlop
