// Secrets of the Standard Webhooks specification.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orlop {

// The key that the libraries of the specification make of the secret: of base64 with its padding, with or without
// `whsec_` before it. Nothing for any other text: they do not take it.
std::optional<std::string> webhook_key(std::string_view secret);

}  // namespace orlop
