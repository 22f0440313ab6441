// What an action asks for beside the action itself: an image's tag is an edit of the service, a commit or chart version
// a word to the driver.
#pragma once

#include "base/result.h"
#include "deploy/request/deployment_request.h"
#include "model/family.h"
#include "model/value.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Makes the edits that the body asks for, and returns the overrides for the configuration of the step: an object, or
// null for none. Errors: invalid (image_tag and git_commit_id together, or one that the service's source does not
// have).
Result<Value> apply_deploy_body(Unit& unit, const Family& family, const Record& service, const Value& body);

// The overrides of a redeployment: the commit that is deployed, which stays. Null: the service has no repository, or
// none of its commits is deployed.
Value overrides_of_redeployment(const Value& service);

// What the query of a delete or uninstall sets for Terraform's resources in the configuration of the step: an object,
// or null for nothing.
Value overrides_of_removal(const Call& call);

// The overrides of the order's service; null: none.
void set_overrides(Order& order, const Id& service, const Value& overrides);

}  // namespace orlop
