// Time zones: their names, and the local time in them.
#pragma once

#include <span>
#include <string_view>

#include "base/instant.h"

namespace orlop {

// Of the IANA database, in order of their bytes.
std::span<const std::string_view> time_zones();
// Names are compared as they are spelled.
bool is_time_zone(std::string_view name);

// Local time minus UTC at this instant, by the rule that the zone has at present; zero for what is no time zone. Instants before the rule came into force, and the
// exceptions of single years (Ramadan in Morocco), get what the rule says.
Duration utc_offset(std::string_view zone, Instant at);

// The instant at which clocks in the zone show `local`, which is given as if it were UTC. Of a time that clocks skip: the instant at which they would have shown it
// without the change; of one that they show twice: one of the two.
Instant from_local(std::string_view zone, Instant local);

}  // namespace orlop
