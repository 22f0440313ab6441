// Next times of a cron schedule in its time zone. Pure.
#pragma once

#include <optional>

#include "base/instant.h"
#include "base/options/settings.h"
#include "catalogs/time_zone.h"
#include "model/cron.h"

namespace orlop {

// Maximum change of clocks: with CronClockChanges::once a fixed time that they repeat within it counts once.
inline constexpr Duration clock_change_max = seconds(3 * 3600);

// Returns the first time of the schedule after `after`; nullopt if none within five years, as in Kubernetes. `changes`:
// behavior where clocks change. For @every: `after` plus `every`.
std::optional<Instant> next_run(const CronTimes& times, const TimeZone& zone, Instant after, CronClockChanges changes);

// Returns the first time of @every after `after`, a multiple of `every` after the run at `last`.
std::optional<Instant> next_every(const CronTimes& times, Instant last, Instant after);

}  // namespace orlop
