// Bounds of a driver's reports. A longer text is cut with a mark; larger outputs fail the step.
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

// The same in place; a report within the bounds is unchanged.
void keep_within_bounds(Report& report);

// Makes a report that waits for the tick: in UTF-8, with more of a long text than is kept at last, so that a secret at
// the cut is still whole when secrets are masked. Copies only that part.
Report received_report(const Id& step, ReportKind kind, std::string_view text,
                       RunningState running = RunningState::none);
// The same in place; such a report is unchanged.
void keep_as_received(Report& report);

bool ends_step(ReportKind kind);

}  // namespace orlop
