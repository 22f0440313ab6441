// Formats of texts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

bool is_absolute_uri(std::string_view text);  // scheme ":" rest, no spaces or control characters
// Checks a cron schedule as the parser of Kubernetes does (cron.h). Returns the fault as a sentence that follows the
// field's path ("must be …, not …"); empty if the schedule is valid, even if it never occurs (30 February).
std::string cron_fault(std::string_view text);
bool is_duration(std::string_view text);        // ISO 8601: "PT1H30M", "P1DT2S"
std::string lower_case(std::string_view text);  // ASCII letters only; other bytes stay
void make_lower_case(std::span<char> text);

}  // namespace orlop
