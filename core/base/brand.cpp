#include "base/brand.h"

#include <algorithm>
#include <iterator>

namespace orlop {
namespace {

char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

constexpr std::size_t placeholder_size = 7;

// Passes the letters of the name to `take` one by one, until it returns false.
template <typename Take>
void spell(std::string_view pattern, std::string_view brand, Take take) {
  while (!pattern.empty()) {
    const bool is_lower = pattern.starts_with("{brand}");
    if (is_lower || pattern.starts_with("{BRAND}")) {
      for (const char letter : brand) {
        if (!take(is_lower ? letter : upper(letter))) return;
      }
      pattern.remove_prefix(placeholder_size);
    } else {
      if (!take(pattern.front())) return;
      pattern.remove_prefix(1);
    }
  }
}

}  // namespace

std::string branded(std::string_view pattern, std::string_view brand, std::string_view rest) {
  std::string name;
  name.reserve(pattern.size() + brand.size() + rest.size());
  while (true) {
    const std::size_t at = pattern.find('{');
    name.append(pattern.substr(0, at));
    if (at == std::string_view::npos) break;
    pattern.remove_prefix(at);
    const bool is_lower = pattern.starts_with("{brand}");
    const bool is_placeholder = is_lower || pattern.starts_with("{BRAND}");
    if (is_lower) name.append(brand);
    else if (is_placeholder) std::ranges::transform(brand, std::back_inserter(name), upper);
    else name.push_back('{');
    pattern.remove_prefix(is_placeholder ? placeholder_size : 1);
  }
  name.append(rest);
  return name;
}

bool is_branded(std::string_view name, std::string_view pattern) {
  const std::size_t at = pattern.find('{');
  if (at == std::string_view::npos) return name == pattern;
  const std::string_view rest = pattern.substr(at + placeholder_size);
  return name.size() > at + rest.size() && name.starts_with(pattern.substr(0, at)) && name.ends_with(rest);
}

bool is_branded(std::string_view name, std::string_view pattern, std::string_view brand) {
  bool is_same = true;
  spell(pattern, brand, [&](char letter) {
    is_same = !name.empty() && name.front() == letter;
    if (is_same) name.remove_prefix(1);
    return is_same;
  });
  return is_same && name.empty();
}

}  // namespace orlop
