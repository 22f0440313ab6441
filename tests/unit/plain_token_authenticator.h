// Knows the people "person:<subject>:<email>".
#pragma once

#include <string_view>

#include "base/port.h"

namespace orlop::tests {

class PlainTokenAuthenticator final : public TokenAuthenticator {
 public:
  Result<Identity> verify(std::string_view token, Instant) override {
    constexpr std::string_view prefix = "person:";
    const std::size_t colon = token.find(':', prefix.size());
    if (!token.starts_with(prefix) || colon == std::string_view::npos) return make_error(ErrorCode::unauthenticated, "nobody");
    Identity identity;
    identity.subject = token.substr(prefix.size(), colon - prefix.size());
    identity.email = token.substr(colon + 1);
    return identity;
  }
};

}  // namespace orlop::tests
