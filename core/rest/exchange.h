// A request of a host and its reply.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orlop {

// The origin of a request: the host itself, which may do everything, or a caller outside, for example over a network,
// who needs credentials if the engine requires authentication.
enum class Trust : std::uint8_t { host, outside };

struct Request {
  std::string_view method;
  std::string_view path;  // with or without "?query"; percent-encoded
  std::string_view body;
  std::vector<std::pair<std::string_view, std::string_view>> headers;  // names in any case
  Trust trust = Trust::host;
  std::vector<std::string_view> names = {};  // of a create: one resource for each name; empty: one, named in the body
};

struct Reply {
  std::uint16_t status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

}  // namespace orlop
