// Secrets of the Standard Webhooks specification.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orlop {

// Returns the key that libraries of the specification derive from the secret: padded base64, with or without the prefix
// `whsec_`. Returns nullopt for any other text, which those libraries reject.
std::optional<std::string> webhook_key(std::string_view secret);

}  // namespace orlop
