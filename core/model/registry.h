// The families, in the order of their numbers. Written by the build from the files of families/.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

// Those of the interface.
std::span<const Family* const> all_families();
// Those of the engine's own records (Family::is_internal).
std::span<const Family* const> internal_families();
// Of both. nullptr if there is none.
const Family* find_family(std::string_view name);
const Family* find_family(FamilyNumber number);
// The state machine of the family; none where there is no such family.
MachineKind machine_kind(FamilyNumber number);
// The family of the parent, if there is one that it always is; nullptr for a root, or where several families may be the
// parent.
const Family* parent_of(const Family& family);
// The families that may be the parent, in the order of the description; none for a root.
std::vector<const Family*> parents_of(const Family& family);
bool may_be_parent(const Family& parent, const Family& family);
bool is_root(const Family& family);
bool is_service(const Family& family);
bool is_service(FamilyNumber number);  // false where there is no such family
// Whether the number of its records below each parent is kept (Family::is_counted).
bool is_counted(FamilyNumber number);

}  // namespace orlop
