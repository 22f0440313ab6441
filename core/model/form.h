// The written forms that texts can have.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

bool is_absolute_uri(std::string_view text);  // scheme ":" something, no spaces or control characters
// A cron schedule as the parser of Kubernetes reads it (cron.h). What is wrong with the text, as a sentence that
// follows the field's path ("must be …, not …"); "" for a schedule that holds, also for one that never comes (30
// February).
std::string cron_fault(std::string_view text);
bool is_duration(std::string_view text);        // ISO 8601: "PT1H30M", "P1DT2S"
std::string lower_case(std::string_view text);  // ASCII letters only; other bytes stay
void make_lower_case(std::span<char> text);

}  // namespace orlop
