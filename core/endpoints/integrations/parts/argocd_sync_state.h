// Synchronization with an Argo CD server: the state in its machine, and the changes of services by the server's answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Machine::state of the machine of an argocd_sync. Other members of the machine: changed_at, time of the last question;
// detail.reason, why that failed, or an application that was left out and why; progress, number of processed
// applications of a long answer; deadline, time of the next question.
enum class SyncState : std::uint8_t { never = 1, succeeded = 2, failed = 3 };

// Returns the machine of the configuration's synchronization; null if the configuration was stored without one.
Result<Shared<Machine>> sync_machine(Unit& unit, const Id& config);

// Makes the next tick ask the server of this cluster. Does nothing if the cluster has none.
Result<void> begin_sync(Unit& unit, const Id& cluster);

// Progress of a commit in an answer.
struct SyncPart {
  std::size_t done = 0;  // number of processed applications
  bool is_last = true;
  std::string left_out;  // first application for which no service could be made, and why; "": none
};

// Creates services for the applications with a mapped destination, from the index `from` on; at the end removes
// services whose application is gone. A commit creates, changes and removes a bounded number.
Result<SyncPart> take_applications(Unit& unit, const Record& config, const Value& applications, std::size_t from);

}  // namespace orlop
