// Variables in the values of a Helm service. `{{KEY}}` and the macro `platform.env.KEY`, which begins with the brand,
// are replaced by the value of the variable; inside a JSON string it is escaped. The key of a macro ends before the
// first character that is not a letter, digit, "_" or ".".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace orlop {

enum class ValueSyntax : std::uint8_t { plain = 1, json = 2 };

struct ReplacedValue {
  std::string text;
  // Keys of `{{KEY}}` that no variable has, which stay unchanged; each once, at most unknown_references_max.
  std::vector<std::string> unknown;
};

// `find` returns the value of a key; null if it is unknown. Errors (invalid): a macro with an unknown key; `{{KEY}}`
// with the key of an unknown built-in variable; a macro with the key of any built-in variable, because Helm services
// use those through an alias; more than resolved_size_max bytes. The message is a clause about the value.
Result<ReplacedValue> replace_variables(std::string_view text, ValueSyntax syntax, std::string_view brand,
                                        const std::function<const std::string*(std::string_view key)>& find);

// Replaces each variable by "0", to check for valid JSON independently of the values.
std::string without_variables(std::string_view text, std::string_view brand);

}  // namespace orlop
