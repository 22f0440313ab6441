#include "families/shapes/time_zone_field.h"

#include "catalogs/nearest.h"
#include "catalogs/time_zone.h"
#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

void check_time_zone(std::string_view zone, std::string_view field, const ValidationContext& context,
                     Violations& violations) {
  const TimeZones& zones = TimeZones::or_built_in(context.time_zones());
  if (zones.find(zone) != nullptr) return;
  refuse(violations, field,
         "must be a time zone of the IANA database as in Europe/Paris, not " + quoted(zone) +
             nearest_hint(zone, zones.names()));
}

}  // namespace orlop::shapes
