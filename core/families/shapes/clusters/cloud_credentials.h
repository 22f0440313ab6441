// Fields and rules that the credentials of all cloud providers share.
#pragma once

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

// All credentials of an organization share one space of names.
inline constexpr FamilyNumber credentials_names = 20;

inline constexpr Field credentials_name =
    text("name",
         "Name of the credentials, unique among all cloud credentials of the organization without regard to "
         "case.")
        .required()
        .unique_name();

// Refuses missing members of `needed` and present members of `foreign`. `kind` is the type of credentials for the
// message.
void check_members(const Value& object, std::string_view path, Names needed, Names foreign, std::string_view kind,
                   Violations& violations);

}  // namespace orlop::shapes
