// The git repository in the body of a service that is built from one.
#pragma once

#include <array>
#include <string_view>

#include "model/value.h"

namespace orlop {

// Paths to the repository, by kind of service; empty names are skipped.
inline constexpr std::array<std::array<std::string_view, 3>, 4> git_repository_paths = {{
    {"git_repository"},
    {"source", "docker", "git_repository"},
    {"source", "git", "git_repository"},
    {"terraform_files_source", "git", "git_repository"},
}};

// Returns null if the service is not built from git. `Any`: Value or const Value.
template <typename Any>
Any* find_git_repository(Any& service) {
  for (const auto& path : git_repository_paths) {
    Any* at = &service;
    for (const std::string_view name : path) {
      if (at != nullptr && !name.empty()) at = at->find(name);
    }
    if (at != nullptr && at->is_object()) return at;
  }
  return nullptr;
}

}  // namespace orlop
