// Parameters of an action: the tag of an image is an edit of the service, a commit or chart version goes to the driver.
#pragma once

#include "base/result.h"
#include "deploy/request/deployment_request.h"
#include "model/family.h"
#include "model/value.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Makes the edits of the body, and returns the overrides for the configuration of the step: an object, or null. Errors:
// invalid (image_tag and git_commit_id together, or one that the service's source does not have).
Result<Value> apply_deploy_body(Unit& unit, const Family& family, const Record& service, const Value& body);

// Returns the overrides of a redeployment, which keeps the deployed commit. Null if the service has no repository or no
// deployed commit.
Value overrides_of_redeployment(const Value& service);

// Returns settings of a delete or uninstall's query for Terraform's resources, as overrides for the configuration of
// the step: an object, or null.
Value overrides_of_removal(const Call& call);

// Sets the overrides of the order's service; null: none.
void set_overrides(Order& order, const Id& service, const Value& overrides);

}  // namespace orlop
