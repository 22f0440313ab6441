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
std::optional<Instant> next_run(const CronTimes& times, std::string_view zone, Instant after);

}  // namespace orlop
