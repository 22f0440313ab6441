// Enumerations of variables, as the interface spells them.
#pragma once

#include <string_view>

namespace orlop {

inline constexpr std::string_view variable_scopes[] = {
    "AGENTIC_WORKFLOW", "APPLICATION", "BUILT_IN", "CONTAINER", "ENVIRONMENT", "HELM", "JOB", "PROJECT", "TERRAFORM"};
inline constexpr std::string_view variable_types[] = {
    "ALIAS", "BUILT_IN", "EXTERNAL_SECRET", "FILE", "FILE_EXTERNAL_SECRET", "OVERRIDE", "VALUE"};
// Kinds of services that have variables or whose built-ins are variables.
inline constexpr std::string_view variable_service_kinds[] = {"APPLICATION", "CONTAINER", "DATABASE",
                                                              "HELM",        "JOB",       "TERRAFORM"};

}  // namespace orlop
