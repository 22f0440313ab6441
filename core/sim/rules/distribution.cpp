#include "sim/rules/distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "sim/invalid_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr double ln_2 = 0.69314718055994530942;
constexpr std::size_t shown_max = 100;       // bytes
constexpr std::size_t values_max = 100'000;  // of an empirical distribution

// Returns the natural logarithm of a number above 0: the exponent apart, the rest by the series of the inverse
// hyperbolic tangent.
double logarithm(double number) {
  int exponent = 0;
  double mantissa = std::frexp(number, &exponent);  // exact
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  const double ratio = (mantissa - 1) / (mantissa + 1);
  const double square = ratio * ratio;
  double sum = 0;
  for (int power = 25; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
  return 2 * ratio * sum + exponent * ln_2;
}

double exponential(double power) {
  const double bounded = std::clamp(power, -700.0, 700.0);
  const int twos = static_cast<int>(bounded / ln_2 + (bounded < 0 ? -0.5 : 0.5));
  const double rest = bounded - twos * ln_2;
  double sum = 1;
  for (int term = 18; term >= 1; --term) sum = 1 + rest / term * sum;
  return std::ldexp(sum, twos);  // exact
}

// The polar method of Marsaglia.
double standard_normal(Draws& draws) {
  while (true) {
    const double x = 2 * draws.unit() - 1;
    const double y = 2 * draws.unit() - 1;
    const double square = x * x + y * y;
    if (square < 1 && square > 0) return x * std::sqrt(-2 * logarithm(square) / square);
  }
}

double drawn(const Distribution& distribution, Draws& draws) {
  const double first = distribution.first;
  const double second = distribution.second;
  switch (distribution.kind) {
    case Distribution::Kind::fixed: return first;
    case Distribution::Kind::uniform: return first + (second - first) * draws.unit();
    case Distribution::Kind::normal: return first + second * standard_normal(draws);
    case Distribution::Kind::lognormal: return first * exponential(second * standard_normal(draws));
    case Distribution::Kind::exponential: return -first * logarithm(1 - draws.unit());
    case Distribution::Kind::empirical:
      return static_cast<double>(distribution.values[draws.bits() % distribution.values.size()]);
  }
  return first;
}

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr Unit units[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

// Returns "1h30m" in ms; a negative number if the text is not a duration.
double parse_duration(std::string_view text) {
  double sum = 0;
  if (text.empty() || text.size() > shown_max) return -1;
  while (!text.empty()) {
    double count = 0;
    double place = 0;  // of the next digit after the point; 0 before the point
    std::size_t at = 0;
    for (; at < text.size() && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); ++at) {
      if (text[at] == '.') {
        if (place != 0 || at == 0) return -1;
        place = 10;
        continue;
      }
      const double digit = text[at] - '0';
      count = place == 0 ? count * 10 + digit : count + digit / place;
      if (place != 0) place *= 10;
    }
    if (at == 0 || text[at - 1] == '.') return -1;
    text.remove_prefix(at);
    const std::size_t size = std::min(text.find_first_of("0123456789."), text.size());
    const auto unit = std::ranges::find(units, text.substr(0, size), &Unit::name);
    if (unit == std::end(units)) return -1;
    sum += count * unit->milliseconds;
    text.remove_prefix(size);
  }
  return sum;
}

bool is_number(const Value& given) {
  return given.type() == Value::Type::integer || given.type() == Value::Type::number;
}

Result<double> read_number(const Value* given, const std::string& name, double least, double most) {
  if (given != nullptr && is_number(*given) && given->as_number() >= least && given->as_number() <= most)
    return given->as_number();
  const auto bound = [](double number) { return to_json(Value(static_cast<std::int64_t>(number))); };
  return invalid_member(name, "must be a number of " + bound(least) + " to " + bound(most) + ", not " +
                                  (given == nullptr ? "left out" : shown(*given)));
}

struct Parameters {
  std::string_view distribution;
  Distribution::Kind kind;
  std::string_view first;
  std::string_view second;  // empty if none
};
constexpr Parameters known[] = {
    {"uniform", Distribution::Kind::uniform, "least", "most"},
    {"normal", Distribution::Kind::normal, "mean", "deviation"},
    {"lognormal", Distribution::Kind::lognormal, "median", "sigma"},
    {"exponential", Distribution::Kind::exponential, "mean", ""},
    {"empirical", Distribution::Kind::empirical, "values", ""},
};

Result<Duration> read_part(const Value& object, std::string_view part, const std::string& name) {
  const Value* const given = object.find(part);
  const std::string path = name + "." + std::string(part);
  if (given == nullptr) return invalid_member(path, "is required");
  return read_duration(*given, path);
}

Result<void> check_members(const Value& object, const Parameters& parameters, const std::string& name) {
  const std::array<std::string_view, 5> allowed = {"distribution", parameters.first, "least", "most",
                                                   parameters.second};
  const std::span<const std::string_view> names(allowed.data(), parameters.second.empty() ? 4 : 5);
  for (const Member& member : object.members()) {
    if (std::ranges::find(names, member.name.view()) != names.end()) continue;
    return invalid_member(name + "." + std::string(member.name.view()), "is not a member of the distribution " +
                                                                            std::string(parameters.distribution) +
                                                                            nearest_hint(member.name, names));
  }
  return {};
}

Result<void> read_values(const Value& object, const std::string& name, Distribution& out) {
  const Value* const values = object.find("values");
  if (values == nullptr || !values->is_list() || values->items().empty() || values->items().size() > values_max) {
    return invalid_member(name + ".values", "must be a list of 1 to " + std::to_string(values_max) +
                                                " durations, not " + (values == nullptr ? "left out" : shown(*values)));
  }
  for (std::size_t at = 0; at < values->items().size(); ++at) {
    ORLOP_TRY(value, read_duration(values->items()[at], name + ".values[" + std::to_string(at) + "]"));
    out.values.push_back(value.milliseconds);
  }
  return {};
}

Result<void> read_bounds(const Value& object, const std::string& name, Distribution& out) {
  if (object.has("least")) {
    ORLOP_TRY(least, read_part(object, "least", name));
    out.least = least.milliseconds;
  }
  if (object.has("most")) {
    ORLOP_TRY(most, read_part(object, "most", name));
    out.most = most.milliseconds;
  }
  if (out.least <= out.most) return {};
  return invalid_member(name + ".least", "must be at most " + name + ".most, not " + std::to_string(out.least) +
                                             " ms, which is more than " + std::to_string(out.most) + " ms");
}

Result<Distribution> read_object(const Value& object, const std::string& name) {
  const Value* const given = object.find("distribution");
  const auto found =
      std::ranges::find(known, given != nullptr && given->is_text() ? given->as_text() : "", &Parameters::distribution);
  if (found == std::end(known)) {
    return invalid_member(name + ".distribution", "must be uniform, normal, lognormal, exponential or empirical, not " +
                                                      (given == nullptr ? "left out" : shown(*given)));
  }
  ORLOP_CHECK(check_members(object, *found, name));
  Distribution out;
  out.kind = found->kind;
  ORLOP_CHECK(read_bounds(object, name, out));
  if (out.kind == Distribution::Kind::empirical) {
    ORLOP_CHECK(read_values(object, name, out));
    return out;
  }
  ORLOP_TRY(first, read_part(object, found->first, name));
  out.first = static_cast<double>(first.milliseconds);
  if (out.kind == Distribution::Kind::lognormal) {
    ORLOP_TRY(sigma, read_number(object.find("sigma"), name + ".sigma", 0, 10));
    out.second = sigma;
  } else if (!found->second.empty()) {
    ORLOP_TRY(second, read_part(object, found->second, name));
    out.second = static_cast<double>(second.milliseconds);
  }
  return out;
}

}  // namespace

std::string shown(const Value& given) { return bounded_text(to_json(given), shown_max); }

Duration draw(const Distribution& distribution, Draws& draws) {
  const double found = drawn(distribution, draws);
  if (!(found > static_cast<double>(distribution.least))) return {distribution.least};
  if (found > static_cast<double>(distribution.most)) return {distribution.most};
  return {static_cast<std::int64_t>(found + 0.5)};
}

Result<Duration> read_duration(const Value& given, const std::string& name) {
  double milliseconds = -1;
  if (given.is_text()) milliseconds = parse_duration(given.as_text());
  else if (is_number(given)) milliseconds = given.as_number() * 1000;
  constexpr double least = 0.999;  // 1 ms, less the rounding error of sums like "0.5ms0.5ms"
  if (milliseconds > 0 && milliseconds < least)
    return invalid_member(
        name, "must be 0 or at least 1 millisecond, which is the resolution of the clock, not " + shown(given));
  if (milliseconds >= 0 && milliseconds <= static_cast<double>(simulated_ms_max))
    return Duration{static_cast<std::int64_t>(milliseconds + 0.5)};
  return invalid_member(name,
                        "must be a duration like \"30s\", \"2m30s\" or \"250ms\", or a number of seconds, of 0 to a "
                        "thousand years, not " +
                            shown(given));
}

Result<Distribution> read_distribution(const Value& given, const std::string& name) {
  if (given.is_object()) return read_object(given, name);
  ORLOP_TRY(fixed, read_duration(given, name));
  Distribution out;
  out.first = static_cast<double>(fixed.milliseconds);
  return out;
}

}  // namespace orlop
