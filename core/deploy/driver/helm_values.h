// Values of a Helm service with their variables replaced.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "deploy/driver/step_variables.h"
#include "model/value.h"

namespace orlop {

// Reports whether the values of the record may contain variables: it is a Helm service.
bool takes_variables(const Record& service);

// Returns `values_override` of the service as the driver gets it: with the variables replaced in texts of `set`,
// `set_string`, `set_json` and of raw files (resolution/value_macros.h). `remarks` (may be null) gets a sentence for
// each reference that is not replaced. Error invalid: the service does not have a variable, or a value of `set_json` is
// not JSON; the message names the service and the value.
Result<Value> with_variables(const Record& service, const Value& values_override, const StepValues& values,
                             std::string_view brand, std::vector<std::string>* remarks);

}  // namespace orlop
