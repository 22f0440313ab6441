// The phases of a service's or cluster's current or last action, as ActionTiming keeps them and as its status shows
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "store/store.h"
#include "wire/writer.h"

namespace orlop {

// Stored in PhaseTiming: numbers never change.
enum class PhaseStatus : std::uint8_t { success = 1, error = 2, cancel = 3, skip = 4 };
enum class TimedPhase : std::uint8_t {
  build_queueing = 1,
  build = 2,
  deployment_queueing = 3,
  deployment = 4,
  executing = 5
};

// "SUCCESS", "ERROR", "CANCEL", "SKIP".
std::string_view to_string(PhaseStatus status);
// "BUILD_QUEUEING", "BUILD", "DEPLOYMENT_QUEUEING", "DEPLOYMENT", "EXECUTING".
std::string_view to_string(TimedPhase phase);

// Adds time to the phase if it is the last one, else begins it.
void spend(ActionTiming& timing, TimedPhase phase, PhaseStatus status, Duration spent);
bool has_phase(const ActionTiming& timing, TimedPhase phase);

// {"total_duration_sec", "total_computing_duration_sec", "details": […]}: the status's `steps`.
void write_steps(Writer& out, const ActionTiming& timing);

}  // namespace orlop
