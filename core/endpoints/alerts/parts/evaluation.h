// Evaluates the condition of an alert rule against the answer of a metrics store. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "model/value.h"

namespace orlop {

// Returns the sample values in the answer of an instant query to Prometheus; nullopt for another text, or a failed
// query.
std::optional<std::vector<double>> samples_of(std::string_view answer);

struct Evaluation {
  bool holds = false;
  double value = 0;  // result of the function; without one, the first sample that satisfies the condition
};
Evaluation evaluate(const Value& condition, const std::vector<double>& samples);

// Length of an ISO 8601 duration; a year counts 365 days, a month 30.
Duration length_of(std::string_view duration);

}  // namespace orlop
