// A stored record as a value, with its secrets.
#pragma once

#include <string>

#include "base/result.h"
#include "model/family.h"
#include "model/value.h"
#include "store/store.h"

namespace orlop {

// The stored record as a value with its secrets in place: for rules, clones and the configuration of steps.
Result<Value> full_value(const Record& record);
// `full_value` as JSON text.
Result<std::string> full_text(const Record& record);
// `full_value` as a body that create_record accepts again: without read-only fields.
Result<Value> as_request(const Family& family, const Record& record);

}  // namespace orlop
