#include "base/text/webhook_secret.h"

#include "base/text/base64.h"

namespace orlop {

std::optional<std::string> webhook_key(std::string_view secret) {
  constexpr std::string_view prefix = "whsec_";
  if (secret.starts_with(prefix)) secret.remove_prefix(prefix.size());
  if (secret.empty() || secret.size() % 4 != 0) return std::nullopt;
  return parse_base64(secret);
}

}  // namespace orlop
