// The written forms that texts can have.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

bool is_absolute_uri(std::string_view text);   // scheme ":" something, no spaces or control characters
bool is_cron(std::string_view text);           // five fields: minute hour day month weekday; *, lists, ranges, steps, names
bool is_duration(std::string_view text);       // ISO 8601: "PT1H30M", "P1DT2S"
std::string lower_case(std::string_view text); // ASCII letters only; other bytes stay

}  // namespace orlop
