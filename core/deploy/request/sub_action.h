// Value of `sub_action` in statuses and histories: the effect of an action on one service.
#pragma once

#include <string_view>

#include "base/id.h"
#include "lifecycle/state.h"
#include "model/value.h"

namespace orlop {

// TERRAFORM_PLAN_ONLY, TERRAFORM_DESTROY …; NONE for services of other kinds. `overrides`: those of the request, by
// service id.
std::string_view sub_action_of(std::string_view service_kind, Action action, const Value& overrides, const Id& service);

}  // namespace orlop
