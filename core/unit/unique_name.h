// Unique names: their scopes and messages.
#pragma once

#include <string>
#include <string_view>

#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Returns the family's field with is_unique_name; null if none.
const Field* name_field(const Family& family);

// Reports whether names are unique in a list of the family, in the member `name`.
bool is_found_by_name(const Family& family);

// Returns the key that makes the name unique in its scope; "" if the family has no unique name.
std::string name_key(const Family& family, const Id& parent, const Id& organization, std::string_view name);

// Returns the display name of the family: "container registry".
std::string words_for(const Family& family);

// Error conflict if a record other than `record` has the key.
Result<void> require_free_name(Unit& unit, const Family& family, const std::string& key, std::string_view name,
                               const Record& record);

// Returns the record's name; "" if its family has none.
std::string name_of(const Record& record);

}  // namespace orlop
