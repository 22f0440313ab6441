// What must hold of every feed of deployments, whatever was asked and whatever the driver did.
#pragma once

#include <string>
#include <vector>

#include "unit/deploy/script.h"
#include "unit/deploy/fixture.h"

namespace orlop {

// The first rule that the feed of this world breaks, with the event; "" if it breaks none. The world must have run until idle.
std::string broken_rule(const Fixture& fixture, const Script& script);

// The first step for which the drivers of the two worlds, of one scenario, were given another configuration; "" if there is none. One
// that a driver was asked for again may have been edited meanwhile and does not count.
std::string told_otherwise(const Fixture& one, const Fixture& other);

// Everything that events, rows and records hold, as text.
std::string everything(const Fixture& fixture);

}  // namespace orlop
