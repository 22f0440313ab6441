// A request as a host brings it, and the reply it gets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orlop {

// Who brings a request: the host itself, which may do everything, or somebody outside of it, over a network say, who must prove who they
// are if the engine demands it.
enum class Trust : std::uint8_t { host, outside };

struct Request {
  std::string_view method;
  std::string_view path;  // with or without "?query"; percent-encoded
  std::string_view body;
  std::vector<std::pair<std::string_view, std::string_view>> headers;  // names in any case
  Trust trust = Trust::host;
};

struct Reply {
  std::uint16_t status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

}  // namespace orlop
