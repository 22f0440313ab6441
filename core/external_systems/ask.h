// Asks external systems. To be called while no transaction is open: an answer takes as long as the systems take.
#pragma once

#include "base/brand.h"
#include "base/port.h"
#include "base/result.h"
#include "external_systems/question.h"
#include "model/value.h"

namespace orlop {

// The answer, which matches the schema of the question. `systems`: nullptr if the engine was given none. `brand`: that
// of the engine, for questions whose values carry it. Errors: unanswered (nothing answers this question),
// external_timeout, external_failed (the systems failed, or their answer does not match).
Result<Value> ask(ExternalSystems* systems, Question question, const Value& input,
                  std::string_view brand = brand_default);

}  // namespace orlop
