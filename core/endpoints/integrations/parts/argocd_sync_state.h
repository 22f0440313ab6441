// The synchronization with an Argo CD server: what its machine says, and what an answer of the server makes of the
// services.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Machine::state of the machine of an argocd_sync. Besides it the machine holds: changed_at, when the server was last
// asked; detail.reason, why that failed, or which application was left out and why; progress, how many applications of
// a long answer are done; deadline, when the server is asked next.
enum class SyncState : std::uint8_t { never = 1, succeeded = 2, failed = 3 };

// The machine of the configuration's synchronization; nothing if the configuration was stored without one.
Result<Shared<Machine>> sync_machine(Unit& unit, const Id& config);

// The server of this cluster is asked with the next tick. Nothing if the cluster has none.
Result<void> begin_sync(Unit& unit, const Id& cluster);

// What a commit has done of an answer.
struct SyncPart {
  std::size_t done = 0;  // of the applications that are wanted
  bool is_last = true;
  std::string left_out;  // the first application that no service could be made for, and why; "": none
};

// Makes services of the applications whose destination is mapped to a cluster, from the place `from` on; at the end
// removes services whose application is gone. A commit makes, changes and removes a bounded number.
Result<SyncPart> take_applications(Unit& unit, const Record& config, const Value& applications, std::size_t from);

}  // namespace orlop
