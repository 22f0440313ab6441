// Fields and rules that the deployment rules of environments and projects share.
#pragma once

#include <string_view>

#include "model/family.h"

namespace orlop::shapes {

inline constexpr std::string_view weekdays[] = {"MONDAY", "TUESDAY",  "WEDNESDAY", "THURSDAY",
                                                "FRIDAY", "SATURDAY", "SUNDAY"};

inline constexpr Field rule_auto_stop = boolean("auto_stop",
                                                "Stop the services of the environment at `stop_time` and deploy those "
                                                "that are stopped at `start_time`, on `weekdays`. Default: false.")
                                            .defaults_to(false);
inline constexpr Field rule_timezone =
    text("timezone", "Time zone of the hours, from the IANA database, as in `Europe/Paris`.")
        .required()
        .at_least(1)
        .at_most(64);
inline constexpr Field rule_start_time =
    date_time("start_time",
              "Time of day at which the environment starts, in `timezone`: the hours and minutes of this time as it "
              "stands in UTC; its date does not count. "
              "`1970-01-01T08:00:00Z` is 8 o'clock.")
        .required();
inline constexpr Field rule_stop_time =
    date_time("stop_time",
              "Time of day at which the environment stops, read as `start_time`. One before `start_time` is on the "
              "following day; the two cannot be equal.")
        .required();
inline constexpr Field rule_weekdays =
    enumeration_list("weekdays", weekdays,
                     "Days on which the environment starts, each once. None: it is not started or stopped.")
        .required()
        .at_most(7)
        .unique_items();

// Checks that the time zone exists and that start and stop time differ.
void check_rule(const Value& record, ValidationContext& context, Violations& violations);

}  // namespace orlop::shapes
