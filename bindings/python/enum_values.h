// Names in Python of the numbers of enums.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orlop/orlop.h"

namespace orlop_python {

struct EnumValue {
  std::string_view name;
  std::int32_t number;
};

inline constexpr EnumValue reports[] = {
    {"build_started", ORLOP_REPORT_BUILD_STARTED},
    {"built", ORLOP_REPORT_BUILT},
    {"started", ORLOP_REPORT_STARTED},
    {"executing", ORLOP_REPORT_EXECUTING},
    {"progress", ORLOP_REPORT_PROGRESS},
    {"log_line", ORLOP_REPORT_LOG_LINE},
    {"succeeded", ORLOP_REPORT_SUCCEEDED},
    {"failed", ORLOP_REPORT_FAILED},
    {"credentials_refused", ORLOP_REPORT_CREDENTIALS_REFUSED},
    {"contact_lost", ORLOP_REPORT_CONTACT_LOST},
    {"canceled", ORLOP_REPORT_CANCELED},
    {"recap_started", ORLOP_REPORT_RECAP_STARTED},
    {"unchanged", ORLOP_REPORT_UNCHANGED},
};

inline constexpr EnumValue actions[] = {
    {"none", ORLOP_ACTION_NONE},       {"deploy", ORLOP_ACTION_DEPLOY},   {"restart", ORLOP_ACTION_RESTART},
    {"stop", ORLOP_ACTION_STOP},       {"delete", ORLOP_ACTION_REMOVE},   {"uninstall", ORLOP_ACTION_UNINSTALL},
    {"dry_run", ORLOP_ACTION_DRY_RUN}, {"upgrade", ORLOP_ACTION_UPGRADE},
};

inline constexpr EnumValue running_states[] = {
    {"STARTING", ORLOP_RUNNING_STARTING},   {"RUNNING", ORLOP_RUNNING_RUNNING},   {"WARNING", ORLOP_RUNNING_WARNING},
    {"ERROR", ORLOP_RUNNING_ERROR},         {"STOPPING", ORLOP_RUNNING_STOPPING}, {"STOPPED", ORLOP_RUNNING_STOPPED},
    {"COMPLETED", ORLOP_RUNNING_COMPLETED}, {"UNKNOWN", ORLOP_RUNNING_UNKNOWN},
};

template <std::size_t size>
std::string_view to_string(const EnumValue (&enum_values)[size], std::int32_t number) {
  for (const EnumValue& entry : enum_values) {
    if (entry.number == number) return entry.name;
  }
  return "unknown";
}

}  // namespace orlop_python
