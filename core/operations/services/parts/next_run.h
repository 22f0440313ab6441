// When a cron schedule comes next in its time zone. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/instant.h"
#include "model/cron.h"

namespace orlop {

// The first time of the schedule after `after`; nothing if there is none within 41 years. Where clocks change, a schedule with a fixed hour and minute comes once on each of its
// days: at a time that clocks skip it comes as much later as they skip, at one that they show twice it comes once. One whose hour or minute begins with * comes whenever clocks
// show one of its times.
// Clocks are set to another time by no more: a fixed time that they show twice within this is one.
inline constexpr Duration clock_change_max = seconds(3 * 3600);

// Its hour and its minute begin with no *.
constexpr bool is_fixed(const CronTimes& times) { return !times.is_any_minute && !times.is_any_hour; }

std::optional<Instant> next_run(const CronTimes& times, std::string_view zone, Instant after);

}  // namespace orlop
