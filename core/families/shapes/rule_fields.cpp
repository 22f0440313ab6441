#include "families/shapes/rule_fields.h"

#include <cstdint>
#include <string>

#include "base/instant.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/time_zone_field.h"

namespace orlop::shapes {

namespace {

// Returns the time of day in milliseconds, without the date; -1 if it is missing or invalid.
std::int64_t time_of_day(const Value& record, std::string_view member) {
  constexpr std::int64_t day = 86'400'000;
  const auto at = parse_instant(record.text_or(member, ""));
  return at ? ((at->milliseconds % day) + day) % day : -1;
}

}  // namespace

void check_rule(const Value& record, ValidationContext& context, Violations& violations) {
  const std::int64_t start = time_of_day(record, "start_time");
  if (start >= 0 && start == time_of_day(record, "stop_time")) {
    refuse(violations, "stop_time",
           "must be another time of day than start_time, " + quoted(record.text_or("start_time", "")) +
               "; for an environment that always runs set auto_stop to false");
  }
  check_time_zone(record.text_or("timezone", ""), "timezone", context, violations);
}

}  // namespace orlop::shapes
