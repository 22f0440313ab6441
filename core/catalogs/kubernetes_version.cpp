#include "catalogs/kubernetes_version.h"

#include <algorithm>
#include <vector>

namespace orlop {
namespace {

constexpr std::string_view built_in[] = {"1.26", "1.27", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33"};

std::size_t count(std::span<const std::string> given) { return given.empty() ? std::size(built_in) : given.size(); }
std::string_view at(std::span<const std::string> given, std::size_t place) {
  return given.empty() ? built_in[place] : std::string_view(given[place]);
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Returns the numbers of a version: 1, 30 and 2 of "v1.30.2-eks".
std::vector<std::string_view> numbers_of(std::string_view version) {
  std::vector<std::string_view> numbers;
  while (!version.empty()) {
    const auto end = std::ranges::find_if_not(version, is_digit);
    std::string_view number = version.substr(0, static_cast<std::size_t>(end - version.begin()));
    version.remove_prefix(number.size());
    while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
    if (!number.empty()) numbers.push_back(number);
    if (!version.empty()) version.remove_prefix(1);
  }
  return numbers;
}

bool is_newer(std::string_view left, std::string_view right) {
  return std::ranges::lexicographical_compare(
      numbers_of(right), numbers_of(left), [](std::string_view one, std::string_view other) {
        return one.size() != other.size() ? one.size() < other.size() : one < other;
      });
}

}  // namespace

std::string_view first_kubernetes_version(std::span<const std::string> given) {
  const std::size_t last = count(given) - 1;
  return at(given, last == 0 ? 0 : last - 1);
}

std::string_view next_kubernetes_version(std::span<const std::string> given, std::string_view version) {
  for (std::size_t place = 0; place < count(given); ++place) {
    if (at(given, place) != version) continue;
    return place + 1 < count(given) ? at(given, place + 1) : std::string_view();
  }
  for (std::size_t place = 0; place < count(given); ++place) {
    if (is_newer(at(given, place), version)) return at(given, place);
  }
  return {};
}

}  // namespace orlop
