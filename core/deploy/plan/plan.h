// The plan of a request: a pure function of the services' machines when the request starts.
//
// Builds come first, in parallel. Then stage after stage, by Machine::stage_order; stop and delete process the stages
// in reverse. A delete begins with a stage of the jobs with `on_delete`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deploy/driver/driver.h"
#include "deploy/request/deployment_request.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

struct Part {
  std::uint32_t service = 0;         // index in the machines from which the plan was made
  std::uint32_t stage = 0;           // index in Plan::stages
  StepKind step = StepKind::none;    // step in its stage
  StepKind follow = StepKind::none;  // step after that one, if any
  bool builds = false;               // has a build before all stages
};

struct Plan {
  std::vector<Part> parts;            // in the order of start; inside a stage in the order of the machines
  std::vector<std::uint32_t> stages;  // index in `parts` at which each stage begins, then parts.size()
  std::vector<std::uint32_t> builds;  // the parts with a build, in the order of start

  std::size_t stage_count() const { return stages.empty() ? 0 : stages.size() - 1; }
};

// `services`: those of the request, ascending by id.
Plan make_plan(std::span<const Machine> services, Action action, ForcedEvent forced);

}  // namespace orlop
