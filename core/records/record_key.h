// The key under which a record is found, as it follows from its text.
#pragma once

#include <optional>
#include <string>

#include "model/family.h"
#include "model/value.h"
#include "store/store.h"

namespace orlop {

// Nothing: the record has no key, or one that does not follow from its text alone. `value`: its text as a value.
std::optional<std::string> key_of_record(const Family& family, const Record& record, const Value& value);

}  // namespace orlop
