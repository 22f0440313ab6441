// What a deploy asks for beside the deploy itself: an image's tag is an edit of the service, a commit or chart version a word
// to the driver.
#pragma once

#include "base/result.h"
#include "model/family.h"
#include "model/value.h"
#include "ops/unit.h"

namespace orlop {

// Makes the edits that the body asks for, and answers what else the driver is to be told: an object, or null for nothing.
// Errors: invalid (image_tag and git_commit_id together, or one that the service's source does not have).
Result<Value> apply_deploy_body(Unit& unit, const Family& family, const Record& service, const Value& body);

}  // namespace orlop
