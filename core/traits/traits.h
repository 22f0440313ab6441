// The operations that each trait gives to the families that name it, and those that belong to no family.
#pragma once

#include <span>

#include "model/trait.h"
#include "ops/call.h"

namespace orlop {

std::span<const Operation> operations_of(Trait trait);

// Paths that no family carries: /environment/deploymentStatus, /service/{serviceId}/gitWebhookStatus, /{provider}/clusterFeature …
std::span<const Operation> standalone_operations();

}  // namespace orlop
