// The values of a Helm service with the variables that they take in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "deploy/driver/step_variables.h"
#include "model/value.h"

namespace orlop {

// Whether the values of the record may take in variables: it is a Helm service.
bool takes_variables(const Record& service);

// `values_override` of the service as the driver is given it: texts of `set`, `set_string`, `set_json` and of raw files
// with their variables (resolution/value_macros.h). `remarks`, if it is not null, takes a sentence for each reference
// that stays as it is. Error invalid: a variable that the service does not have, or a value of `set_json` that is no
// JSON; the message names the service and the value.
Result<Value> with_variables(const Record& service, const Value& values_override, const StepValues& values,
                             std::string_view brand, std::vector<std::string>* remarks);

}  // namespace orlop
