// The operations that each trait gives to the families that name it, and those that belong to no family.
#pragma once

#include <span>
#include <vector>

#include "model/family.h"
#include "model/trait.h"
#include "ops/call.h"

namespace orlop {

// What `trait` gives to `family`: all of a trait's operations that this family has (a terraform service has no stop).
std::vector<Operation> operations_of(Trait trait, const Family& family);

// Paths that no family carries: /environment/deploymentStatus, /service/{serviceId}/gitWebhookStatus,
// /{provider}/clusterFeature …
std::span<const Operation> standalone_operations();

// A plain verb that a trait answers in its own way: deleting a deployed service is a deployment. A null handler: that of
// ops/verbs.h serves. `query` is what the operation takes beside the plain verb's own.
struct Override {
  Handler handle = nullptr;
  std::span<const Field> query = {};
};
Override override_of(const Family& family, Verb verb);

}  // namespace orlop
