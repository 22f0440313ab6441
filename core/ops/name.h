// Names: which records may not share one, and the words for it.
#pragma once

#include <string>
#include <string_view>

#include "model/family.h"
#include "ops/unit.h"

namespace orlop {

// The family's field that is_unique_name; nullptr if it has none.
const Field* name_field(const Family& family);

// The key under which a record of this name is the only one in its scope; "" if the family has no unique name.
std::string name_key(const Family& family, const Id& parent, const Id& organization, std::string_view name);

// "container registry": the family's name for people.
std::string words_for(const Family& family);

// Refuses (conflict) if another record than `self` holds the key.
Result<void> require_free_name(Unit& unit, const Family& family, const std::string& key, std::string_view name, const Id& self);

}  // namespace orlop
