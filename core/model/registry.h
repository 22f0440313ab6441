// All families there are, in the order of their numbers. Written by the build from the files of families/.
#pragma once

#include <span>
#include <string_view>

#include "model/family.h"

namespace orlop {

std::span<const Family* const> all_families();
// nullptr if there is none.
const Family* find_family(std::string_view name);
const Family* find_family(FamilyNumber number);
// The family of this parent's name; nullptr for a root.
const Family* parent_of(const Family& family);
bool is_service(const Family& family);
// Whether the number of its records below each parent is kept (Family::is_counted).
bool is_counted(FamilyNumber number);

}  // namespace orlop
