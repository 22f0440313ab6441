#include "base/brand.h"

namespace orlop {
namespace {

char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

constexpr std::size_t placeholder_size = 7;

// Hands the letters of the name to `take` one by one, until it answers false.
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

std::string branded(std::string_view pattern, std::string_view brand) {
  std::string name;
  spell(pattern, brand, [&name](char letter) {
    name += letter;
    return true;
  });
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
