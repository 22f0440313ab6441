// A stored record as a value that includes its secrets.
#pragma once

#include <string>

#include "base/result.h"
#include "model/family.h"
#include "model/value.h"
#include "store/store.h"

namespace orlop {

// Parses the stored record and inserts its secrets: for rules, clones and the configuration of steps.
Result<Value> full_value(const Record& record);
// Returns full_value() as JSON text.
Result<std::string> full_text(const Record& record);
// Returns full_value() without read-only fields, as a body that create_record accepts.
Result<Value> as_request(const Family& family, const Record& record);

}  // namespace orlop
