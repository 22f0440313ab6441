// Parser of git repository addresses.
#pragma once

#include <string_view>

namespace orlop {

struct GitAddress {
  std::string_view host;
  std::string_view owner;  // may have several levels: "acme/backend"
  std::string_view name;
  bool operator==(const GitAddress&) const = default;
};

// Parses "https://host/owner/name.git". Missing parts are empty.
GitAddress parse_git_address(std::string_view url);
// Returns the git provider with the host's name; "GITHUB" for any other.
std::string_view git_provider_of(std::string_view host);

}  // namespace orlop
