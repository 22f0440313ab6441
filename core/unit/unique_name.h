// Unique names: their scopes and messages.
#pragma once

#include <string>
#include <string_view>

#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// The family's field with is_unique_name; nullptr if there is none.
const Field* name_field(const Family& family);

// Whether a list of the family has at most one record of a name, which is in its member `name`.
bool is_found_by_name(const Family& family);

// The key that makes the name unique in its scope; "" if the family has no unique name.
std::string name_key(const Family& family, const Id& parent, const Id& organization, std::string_view name);

// The display name of the family: "container registry".
std::string words_for(const Family& family);

// Error conflict if a record other than `record` has the key.
Result<void> require_free_name(Unit& unit, const Family& family, const std::string& key, std::string_view name,
                               const Record& record);

// The name that the record carries ("" if its family has none).
std::string name_of(const Record& record);

}  // namespace orlop
