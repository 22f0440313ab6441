#include "catalogs/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "model/form.h"

namespace orlop {
namespace {

constexpr std::size_t compared_max = 64;  // bytes of a text that are compared
constexpr std::size_t listed_max = 40;

// Returns the Levenshtein distance. Keeps one row at a time.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t at = 0; at < left.size(); ++at) {
    std::size_t diagonal = row[0];
    row[0] = at + 1;
    for (std::size_t other = 0; other < right.size(); ++other) {
      const std::size_t replaced = diagonal + (left[at] == right[other] ? 0 : 1);
      diagonal = row[other + 1];
      row[other + 1] = std::min({replaced, row[other] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_of(std::string_view given, std::span<const std::string_view> known) {
  const std::string wanted = lower_case(given.substr(0, compared_max));
  std::string_view nearest;
  std::size_t least = 0;
  for (const std::string_view candidate : known) {
    const std::size_t far = distance(wanted, lower_case(candidate));
    if (!nearest.empty() && far >= least) continue;
    nearest = candidate;
    least = far;
  }
  return nearest;
}

std::string nearest_hint(std::string_view given, std::span<const std::string_view> known) {
  const std::string_view nearest = nearest_of(given, known);
  const std::string wanted = lower_case(given.substr(0, compared_max));
  if (!nearest.empty() && 2 * distance(wanted, lower_case(nearest)) <= std::max(wanted.size(), nearest.size())) {
    return "; the nearest known one is \"" + std::string(nearest) + "\"";
  }
  if (known.size() > listed_max) return "";
  std::string all;
  for (const std::string_view name : known)
    all.append(all.empty() ? "; known are \"" : ", \"").append(name).append("\"");
  return all;
}

}  // namespace orlop
