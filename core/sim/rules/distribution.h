// Durations in a simulation, fixed or random. The same draws give the same time with every compiler and C++ library:
// only basic arithmetic and square roots of IEEE 754 are used, never std:: distributions or logarithms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "sim/rules/draws.h"

namespace orlop {

inline constexpr std::int64_t simulated_ms_max = 1000LL * 366 * 86'400'000;  // a thousand years

struct Distribution {
  enum class Kind : std::uint8_t { fixed, uniform, normal, lognormal, exponential, empirical };
  Kind kind = Kind::fixed;
  double first = 0;   // ms: the time; the least; the mean; the median; the mean
  double second = 0;  // uniform: the most, normal: the standard deviation, both in ms; lognormal: sigma
  std::vector<std::int64_t> values = {};  // empirical, in ms
  std::int64_t least = 0;                 // a drawn value outside of these bounds becomes the bound
  std::int64_t most = simulated_ms_max;
};

Duration draw(const Distribution& distribution, Draws& draws);

// Reads a number of seconds, a text such as "1h30m" or "250ms", or an object {"distribution": "lognormal", "median":
// "30s", "sigma": 0.4}. Error invalid: a sentence that begins with `name`.
Result<Distribution> read_distribution(const Value& given, const std::string& name);
// Reads the first two forms.
Result<Duration> read_duration(const Value& given, const std::string& name);

// Returns the value as JSON, short enough for a message.
std::string shown(const Value& given);

}  // namespace orlop
