// Public host name of a service: in its links, in its built-in variable HOST_EXTERNAL and as the target of its custom
// domains.
#pragma once

#include <string>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Returns the host of the first internal address that the driver has returned; empty if there is none.
Result<std::string> internal_host_of(const Record& service);

// Returns the host of the first external address that the driver has returned; a host that speaks HTTP at another port
// than 80 and 443 does not count, since its name alone leads nowhere. If there is none: the first digits of the ids of
// service and cluster and the domain of the cluster's DNS provider, "z019a6b2c-z019a6b11-gtw.platform.app".
Result<std::string> public_host_of(Unit& unit, const Record& service);

}  // namespace orlop
