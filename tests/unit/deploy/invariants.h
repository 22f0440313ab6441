// Rules that every feed of deployments keeps, for all requests and all behavior of the driver.
#pragma once

#include <string>
#include <vector>

#include "unit/deploy/fixture.h"
#include "unit/deploy/script.h"

namespace orlop {

// The first rule that the feed of the fixture breaks, with the event; "" if it breaks none. The fixture must have run
// until idle.
std::string broken_rule(const Fixture& fixture, const Script& script);

// The first step for which the drivers of the two runs of one scenario were given different configurations; "" if there
// is none. A step that was redelivered may have been edited meanwhile and does not count.
std::string different_configuration(const Fixture& one, const Fixture& other);

// Everything that events, rows and records hold, as text.
std::string everything(const Fixture& fixture);

}  // namespace orlop
