// Deleting what runs: what was deployed goes by a deployment, what was not goes at once.
#pragma once

#include <span>

#include "base/result.h"
#include "model/family.h"
#include "ops/call.h"
#include "ops/unit.h"

namespace orlop {

// Handlers in the place of the plain remove; each answers 204. Query skipReconcile: what runs is left alone, the record goes at
// once.
Result<Answer> remove_service(Unit& unit, const Call& call);
// deleteMode: DEFAULT (conflict while an environment is linked), DELETE_CLUSTER_AND_{BRAND}_CONFIG (the linked environments go
// with it), DELETE_{BRAND}_CONFIG (nothing is done to the cluster; it and the linked environments are forgotten).
Result<Answer> remove_cluster(Unit& unit, const Call& call);
// All services, then the environment itself.
Result<Answer> remove_environment(Unit& unit, const Call& call);
// Errors: invalid while the stage holds a service.
Result<Answer> remove_stage(Unit& unit, const Call& call);

std::span<const Field> remove_service_query(const Family& family);
std::span<const Field> remove_cluster_query();
std::span<const Field> remove_environment_query();

}  // namespace orlop
