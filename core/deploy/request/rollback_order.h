// Orders that deploy earlier releases: of an environment as it was when a request had ended, and of the services that a
// failed request has changed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_record.h"
#include "unit/unit.h"

namespace orlop {

struct RollbackTarget {
  Id service;
  std::uint32_t release = 0;
};

// Reports whether the request deploys an earlier release of a service.
bool rolls_back(const RequestBody& request);

// Returns the services of the environment that do not run the release that they had when the request ended. Services
// that had none are left out. Error conflict: the release of a service is not kept any more.
Result<std::vector<RollbackTarget>> targets_after(Unit& unit, const Id& environment, const Id& request);

// Returns the services that the request has changed, with the release that each had before it. Services that had none,
// or whose release is not kept any more, are left out.
Result<std::vector<RollbackTarget>> targets_before(Unit& unit, const RequestBody& request);

Order rollback_order(const Id& environment, std::span<const RollbackTarget> targets, std::string_view author);

// Queues the roll-back of a deployment that has failed, if its environment asks for that (`on_failure`). No roll-back
// is itself rolled back, and none replaces a later request that waits.
Result<void> roll_back_failed(Unit& unit, const RequestBody& failed);

}  // namespace orlop
