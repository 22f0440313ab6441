// The caller of a request: the host, or the owner of a token.
#pragma once

#include <cstdint>
#include <string>

#include "base/id.h"

namespace orlop {

struct Caller {
  enum class Kind : std::uint8_t {
    host,   // may do everything
    user,   // a person, authenticated by the host's token authenticator; may be a member of several organizations
    token,  // an API token of one organization
  };

  Kind kind = Kind::host;
  Id id;             // id of the user, or of the token's record
  Id organization;   // organization of a token
  std::string name;  // name that the history shows
  std::string email;
};

}  // namespace orlop
