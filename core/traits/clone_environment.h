// Copies of environments: the same services in the same stages, never deployed.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/id.h"
#include "base/result.h"
#include "ops/unit.h"

namespace orlop {

struct CloneOptions {
  std::string_view name;
  std::optional<Id> project;  // the source's if absent
  std::optional<Id> cluster;  // the source's if absent
  std::string_view mode;      // the source's if empty
};

struct EnvironmentCopy {
  Record environment;
  std::unordered_map<Id, Id> services;  // the copy by the service that it was made of
};

// Errors: those of create_record.
Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options);

}  // namespace orlop
