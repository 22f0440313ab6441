// The bounds of a driver's reports. A longer text is cut with a mark; larger outputs fail the step.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/limits.h"
#include "deploy/driver/driver.h"

namespace orlop {

inline constexpr std::size_t outputs_size_max = std::size_t{1} << 20;  // bytes of a step's outputs
inline constexpr std::size_t received_size_max = 4 * text_size_max;    // bytes of a text that waits for the tick

// Makes a report within the bounds and in UTF-8 (invalid bytes become U+FFFD). A text over text_size_max is cut at a
// character and ends in the number of missing bytes. Outputs over outputs_size_max turn `succeeded` into `failed`, with
// a reason that names outputs, size and bound. Copies only the part of `text` that is kept.
Report bounded_report(const Id& step, ReportKind kind, std::string_view text,
                      RunningState running = RunningState::none);

// The same for a report that may already be within the bounds: it is not touched then.
void keep_within_bounds(Report& report);

// A report as it waits for the tick: in UTF-8, with more of a long text than will be kept, so that a secret that the
// cut would part is whole when it is looked for. Copies only that part.
Report received_report(const Id& step, ReportKind kind, std::string_view text,
                       RunningState running = RunningState::none);
// The same for a report that may be one already.
void keep_as_received(Report& report);

// True for the kinds that end a step.
bool ends_step(ReportKind kind);

}  // namespace orlop
