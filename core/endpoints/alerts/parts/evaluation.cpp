#include "endpoints/alerts/parts/evaluation.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>

#include "wire/json.h"

namespace orlop {
namespace {

// Reads a sample: [time, "0.93"].
std::optional<double> sample_of(const Value* pair) {
  if (pair == nullptr || !pair->is_list() || pair->items().size() != 2 || !pair->items()[1].is_text())
    return std::nullopt;
  std::string_view text = pair->items()[1].as_text();
  if (text.starts_with('+')) text.remove_prefix(1);  // "+Inf"
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool compare(std::string_view comparison, double value, double threshold) {
  if (comparison == "ABOVE") return value > threshold;
  if (comparison == "BELOW") return value < threshold;
  if (comparison == "ABOVE_OR_EQUAL") return value >= threshold;
  if (comparison == "BELOW_OR_EQUAL") return value <= threshold;
  if (comparison == "EQUAL") return value == threshold;
  return true;
}

// Aggregates the samples, of which there is at least one.
double apply(std::string_view function, const std::vector<double>& samples) {
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  if (function == "AVG") return sum / static_cast<double>(samples.size());
  if (function == "MAX") return *std::ranges::max_element(samples);
  if (function == "MIN") return *std::ranges::min_element(samples);
  return sum;
}

constexpr std::int64_t length_max = std::int64_t{366} * 86'400'000;

}  // namespace

std::optional<std::vector<double>> samples_of(std::string_view answer) {
  const auto parsed = parse_stored(answer);
  if (!parsed || !parsed->is_object() || parsed->text_or("status", "") != "success") return std::nullopt;
  const Value* result = parsed->find_path({"data", "result"});
  if (result == nullptr || !result->is_list()) return std::nullopt;
  std::vector<double> samples;
  if (const Value* type = parsed->find_path({"data", "resultType"}); type != nullptr && type->as_text() == "scalar") {
    const auto sample = sample_of(result);
    if (!sample) return std::nullopt;
    samples.push_back(*sample);
    return samples;
  }
  for (const Value& series : result->items()) {
    const auto sample = series.is_object() ? sample_of(series.find("value")) : std::nullopt;
    if (!sample) return std::nullopt;
    samples.push_back(*sample);
  }
  return samples;
}

Evaluation evaluate(const Value& condition, const std::vector<double>& samples) {
  const std::string_view comparison = condition.text_or("operator", "NONE");
  const std::string_view function = condition.text_or("function", "NONE");
  const Value* given = condition.find("threshold");
  const double threshold = given == nullptr || given->is_null() ? 0 : given->as_number();
  if (function == "COUNT") {
    const auto count = static_cast<double>(samples.size());
    return {(comparison != "NONE" || !samples.empty()) && compare(comparison, count, threshold), count};
  }
  if (samples.empty()) return {};
  if (function != "NONE") {
    const double value = apply(function, samples);
    return {compare(comparison, value, threshold), value};
  }
  for (const double sample : samples) {
    if (compare(comparison, sample, threshold)) return {true, sample};
  }
  return {false, samples.front()};
}

Duration length_of(std::string_view duration) {
  std::int64_t milliseconds = 0;
  bool is_time = false;
  const char* at = duration.data();
  const char* const end = at + duration.size();
  while (at != end && milliseconds < length_max) {
    if (*at == 'T') is_time = true;
    double count = 0;
    const auto [after, error] = std::from_chars(at, end, count, std::chars_format::fixed);
    if (error != std::errc() || after == end) {
      ++at;
      continue;
    }
    std::int64_t unit = 86'400'000;
    switch (*after) {
      case 'Y': unit *= 365; break;
      case 'M': unit = is_time ? 60'000 : unit * 30; break;
      case 'W': unit *= 7; break;
      case 'H': unit = 3'600'000; break;
      case 'S': unit = 1000; break;
      default: break;
    }
    milliseconds +=
        static_cast<std::int64_t>(std::min(count * static_cast<double>(unit), static_cast<double>(length_max)));
    at = after + 1;
  }
  return {std::min(milliseconds, length_max)};
}

}  // namespace orlop
