// What a driver's report does to the subject of its step: the events of the machine, the freshness, the timings. The caller writes the
// row and tells the runner.
#pragma once

#include <string>
#include <string_view>

#include "deploy/driver/driver.h"
#include "deploy/run/state_transition.h"

namespace orlop {

enum class StepResult : std::uint8_t {
  ignored = 1,    // it does not apply any more; nothing has changed
  goes_on = 2,
  succeeded = 3,
  failed = 4,
  left = 5,       // canceled
};

// `follow`: another step follows this one, so that its success is not yet the action's.
enum class StepRole : std::uint8_t { last = 1, followed = 2 };

StepResult take_service_report(StateTransition& service, const Report& report, StepRole role, Instant now);
StepResult take_cluster_report(StateTransition& cluster, const Report& report, Instant now);

// Why the outputs of a step cannot be taken, as a sentence; "" if they can: a JSON object, or "" for none.
std::string outputs_refusal(std::string_view text);

// The step failed, by its driver's word or by a deadline.
StepResult fail_service(StateTransition& service, std::string_view reason);
StepResult fail_cluster(StateTransition& cluster, std::string_view reason);

}  // namespace orlop
