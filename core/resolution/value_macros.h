// Variables in the values of a Helm service. `{{KEY}}` and the macro `platform.env.KEY`, which begins with the brand,
// are replaced by the value of the variable, as it is; inside of a text of JSON it is escaped. The key of a macro ends
// before the first character that is no letter, digit, "_" or ".".
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
  // Keys of `{{KEY}}` that no variable has, which stay as they are; each once, at most unknown_references_max.
  std::vector<std::string> unknown;
};

// `find`: the value of a key; nullptr: no variable has it. Errors (invalid): a macro with an unknown key; a macro or
// `{{KEY}}` with the key of a built-in variable that does not exist; a macro with that of one that does, since Helm
// services take those by an alias; more than resolved_size_max bytes. The message is a clause about the value.
Result<ReplacedValue> replace_variables(std::string_view text, ValueSyntax syntax, std::string_view brand,
                                        const std::function<const std::string*(std::string_view key)>& find);

// The text with "0" for each variable: whether it is JSON does not depend on the values.
std::string without_variables(std::string_view text, std::string_view brand);

}  // namespace orlop
