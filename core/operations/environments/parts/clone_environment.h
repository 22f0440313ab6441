// Copies of environments: the same services in the same stages, never deployed.
//
// A small environment is copied in the unit that asks for it. Of a large one that unit makes the environment with its stages, and a job
// below it, a record of family copy_number with an active machine, which names the services that there are. The engine's ticks copy them
// (jobs.h), one chunk for each commit, as they are by then; one that is gone, or whose name was given to another one meanwhile, is left
// out. Until the job is done the copy takes no deployment (deploy/place.cpp), and its original cannot be deleted.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/id.h"
#include "base/result.h"
#include "ops/unit/unit.h"

namespace orlop {

inline constexpr std::size_t copied_at_once_max = 1000;  // services of an environment that is copied in one commit
inline constexpr std::size_t copied_by_commit = 250;     // services that one commit copies of a larger one

inline constexpr std::size_t records_by_commit = 2000;   // records, variables among them, after which a commit copies no further service

struct CloneOptions {
  std::string_view name;
  std::optional<Id> project;  // the source's if absent
  std::optional<Id> cluster;  // the source's if absent
  std::string_view mode;      // the source's if empty
  bool at_once = false;       // in this unit, whatever its size
};

struct EnvironmentCopy {
  Record environment;
  std::unordered_map<Id, Id> services;  // the copy by the service that it was made of; of a large one: nothing yet
};

// Errors: those of create_record.
Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options);

// Copies the next services of the job; true if they were the last ones.
Result<bool> copy_chunk(Unit& unit, const Machine& job);

}  // namespace orlop
