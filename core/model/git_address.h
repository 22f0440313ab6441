// The address of a git repository, and what follows from it.
#pragma once

#include <string_view>

namespace orlop {

struct GitAddress {
  std::string_view host;
  std::string_view owner;  // also of several levels: "acme/backend"
  std::string_view name;
  bool operator==(const GitAddress&) const = default;
};

// Of "https://host/owner/name.git". Parts that the address lacks are empty.
GitAddress parse_git_address(std::string_view url);
// The git provider that the host is named after; "GITHUB" for any other.
std::string_view git_provider_of(std::string_view host);

}  // namespace orlop
