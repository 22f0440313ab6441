// Asks external systems. Call it while no transaction is open: an answer may take long.
#pragma once

#include "base/brand.h"
#include "base/port.h"
#include "base/result.h"
#include "external_systems/question.h"
#include "model/value.h"

namespace orlop {

// Returns the answer, which matches the schema of the question. `systems`: null if the engine has none. `brand`: brand
// of the engine, for questions whose values contain it. Errors: unanswered (no system answers this question),
// external_timeout, external_failed (the systems failed, or their answer does not match).
Result<Value> ask(ExternalSystems* systems, Question question, const Value& input,
                  std::string_view brand = brand_default);

}  // namespace orlop
