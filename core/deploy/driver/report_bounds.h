// The bounds of what a driver reports. A text over its bound is cut and says so; outputs over theirs end the step as failed.
#pragma once

#include <cstddef>
#include <string_view>

#include "deploy/driver/driver.h"

namespace orlop {

inline constexpr std::size_t outputs_size_max = std::size_t{1} << 20;  // bytes of a step's outputs

// The report of these words, within its bounds and in UTF-8 (bytes that are none become U+FFFD). A text over text_size_max is cut at a
// character, and ends in a mark of how many bytes are missing. Outputs over outputs_size_max turn `succeeded` into `failed`, with a
// reason that names outputs, size and bound. Copies no more of `text` than it keeps.
Report bounded_report(const Id& step, ReportKind kind, std::string_view text, RunningState running = RunningState::none);

// The same of a report that may be within its bounds already.
Report within_bounds(Report report);

// True of the kinds after which the driver says nothing more about the step.
bool ends_step(ReportKind kind);

}  // namespace orlop
