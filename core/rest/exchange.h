// A request as a host brings it, and the reply it gets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orlop {

struct Request {
  std::string_view method;
  std::string_view path;  // with or without "?query"; percent-encoded
  std::string_view body;
  std::vector<std::pair<std::string_view, std::string_view>> headers;  // names in any case
};

struct Reply {
  std::uint16_t status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

}  // namespace orlop
