// Unique keys of records, computed from their texts.
#pragma once

#include <optional>
#include <string>

#include "model/family.h"
#include "model/value.h"
#include "store/store.h"

namespace orlop {

// Returns nullopt if the record has no key, or one that does not follow from its text alone. `value`: the parsed text.
std::optional<std::string> key_of_record(const Family& family, const Record& record, const Value& value);

}  // namespace orlop
