// When a cron schedule comes next in its time zone. Pure.
#pragma once

#include <optional>

#include "base/instant.h"
#include "base/options/settings.h"
#include "catalogs/time_zone.h"
#include "model/cron.h"

namespace orlop {

// Clocks are set to another time by no more: with CronClockChanges::once a fixed time that they show twice within this
// is one.
inline constexpr Duration clock_change_max = seconds(3 * 3600);

// The first time of the schedule after `after`; nothing if there is none within five years, as in Kubernetes. Where
// clocks change, `changes` decides. Of @every: `every` after `after`.
std::optional<Instant> next_run(const CronTimes& times, const TimeZone& zone, Instant after, CronClockChanges changes);

// The first time of @every after `after`, of a schedule that had a run at `last`. The distance to it is a multiple of
// `every`.
std::optional<Instant> next_every(const CronTimes& times, Instant last, Instant after);

}  // namespace orlop
