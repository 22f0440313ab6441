// Returns the caller for whom the transaction of a request hides the resources of other tenants.
#pragma once

#include "rest/route.h"
#include "unit/caller.h"
#include "unit/operation.h"

namespace orlop {

inline const Caller& tenant_filter_of(const Route& route, const Call& call) {
  static const Caller host;
  return route.operation.bypasses_tenancy ? host : *call.caller;
}

}  // namespace orlop
