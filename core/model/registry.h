// The families, in the order of their numbers. Written by the build from the files of families/.
#pragma once

#include <span>
#include <string_view>

#include "model/family.h"

namespace orlop {

// Those of the interface.
std::span<const Family* const> all_families();
// Those of the engine's own records (Family::is_internal).
std::span<const Family* const> internal_families();
// Of both. nullptr if there is none.
const Family* find_family(std::string_view name);
const Family* find_family(FamilyNumber number);
// The family of this parent's name; nullptr for a root.
const Family* parent_of(const Family& family);
bool is_service(const Family& family);

}  // namespace orlop
