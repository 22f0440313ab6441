// The detail of a service's or cluster's machine: what its status shows about the current or last action, stored as JSON text in Machine::detail with the public
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"

namespace orlop {

enum class PhaseStatus : std::uint8_t { success = 1, error = 2, cancel = 3 };

// "SUCCESS", "ERROR", "CANCEL".
std::string_view to_string(PhaseStatus status);

// One entry of `steps.details`: the time spent in one phase.
struct PhaseTiming {
  std::string name;  // BUILD_QUEUEING, BUILD, DEPLOYMENT_QUEUEING, DEPLOYMENT, EXECUTING
  std::string status;
  Duration spent;
};

struct Detail {
  std::string execution_id;
  std::string triggered_by;  // of a cluster; a service's is in its request
  std::string reason;        // of a failure, or of a contact that was lost
  std::vector<PhaseTiming> phases;
  std::string outputs;       // of a job: JSON object text; "" for none
  std::string commit;        // that the driver says it used (deployed_commit.h): JSON object text; "" for none
  std::optional<Instant> started_at;   // when the action's first step was committed
  std::optional<Instant> ended_at;     // when the action came to rest
  std::optional<Instant> canceled_at;  // when the driver was to be asked for the running step's end
  std::optional<Instant> reported_at;  // when a report of the running step was last taken

  // Adds time to the phase of that name if it is the last one, else begins it.
  void spend(std::string_view name, PhaseStatus status, Duration spent);
};

Result<Detail> parse_detail(std::string_view text);
std::string to_json(const Detail& detail);
// {"total_duration_sec", "total_computing_duration_sec", "details": […]}: the status's `steps`.
std::string steps_json(const Detail& detail);

}  // namespace orlop
