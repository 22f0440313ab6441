#include "families/shapes/deployment_rule.h"

#include "catalogs/nearest.h"
#include "catalogs/time_zone.h"
#include "families/shapes/rules.h"

namespace orlop::shapes {

void check_rule(const Value& record, ValidationContext&, Violations& violations) {
  const std::string_view zone = record.text_or("timezone", "");
  if (is_time_zone(zone)) return;
  refuse(violations, "timezone", "must be a time zone of the IANA database as in Europe/Paris, not " + quoted(zone) + nearest_hint(zone, time_zones()));
}

}  // namespace orlop::shapes
