// What a request will do, in which order: a pure function of the services' rows as they are when it begins.
//
// Builds come first, side by side. Then stage after stage, by Machine::stage_order; stop and delete go through the stages backwards,
// and before them all a delete has a stage of the jobs that have something to do when they are deleted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deploy/driver/driver.h"
#include "deploy/request/request.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

struct Part {
  std::uint32_t service = 0;            // its place among the rows that the plan was made from
  std::uint32_t stage = 0;              // its place in Plan::stages
  StepKind step = StepKind::none;       // when its stage has come
  StepKind follow = StepKind::none;     // right after that step, none: that was all
  bool builds = false;                  // has a build, before all stages
};

struct Plan {
  std::vector<Part> parts;             // in the order in which they start; inside a stage, in the order of the rows
  std::vector<std::uint32_t> stages;   // where each stage begins in `parts`, and at the end parts.size()
  std::vector<std::uint32_t> builds;   // the parts that build, in the order in which they start

  std::size_t stage_count() const { return stages.empty() ? 0 : stages.size() - 1; }
};

// `services`: those that the request has moved, ascending by id.
Plan make_plan(std::span<const Machine> services, Action action, ForcedEvent forced);

}  // namespace orlop
