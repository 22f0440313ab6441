// Whether the condition of an alert rule holds, by the answer of a metrics store. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "model/value.h"

namespace orlop {

// The values of the samples in the answer of an instant query of Prometheus; nothing: it is none, or says that the
// query failed.
std::optional<std::vector<double>> samples_of(std::string_view answer);

struct Evaluation {
  bool holds = false;
  double value = 0;  // of the function; of the first sample that fits if there is none
};
Evaluation evaluate(const Value& condition, const std::vector<double>& samples);

// The length of an ISO 8601 duration; a year counts 365 days, a month 30.
Duration length_of(std::string_view duration);

}  // namespace orlop
