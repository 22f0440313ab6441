// Rules that every feed of deployments satisfies, for all requests and all behavior of the driver.
#pragma once

#include <string>
#include <vector>

#include "unit/deploy/fixture.h"
#include "unit/deploy/script.h"

namespace orlop {

// Returns the first rule that the feed of the fixture breaks, with the event; "" if it breaks none. The fixture must
// have run until idle.
std::string broken_rule(const Fixture& fixture, const Script& script);

// Returns the first step for which the drivers of two runs of one scenario received different configurations; "" if all
// are equal. A redelivered step may have been edited meanwhile and does not count.
std::string different_configuration(const Fixture& one, const Fixture& other);

// Returns the contents of all events, rows and records as text.
std::string everything(const Fixture& fixture);

}  // namespace orlop
