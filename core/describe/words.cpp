#include "describe/words.h"

#include <algorithm>

#include "base/brand.h"
#include "model/registry.h"

namespace orlop {
namespace {

bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

}  // namespace

std::string camel_case(std::string_view name) {
  std::string joined;
  bool is_first = true;
  for (const char letter : name) {
    if (!is_letter(letter) && !is_digit(letter)) {
      is_first = true;
      continue;
    }
    joined += is_first ? upper(letter) : letter;
    is_first = false;
  }
  return joined;
}

std::string upper_case(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), upper);
  return text;
}

std::string spaced(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string with_article(std::string_view noun) {
  constexpr std::string_view vowels = "aeiou";
  const bool is_open = !noun.empty() && vowels.find(noun.front()) != std::string_view::npos;
  return (is_open ? "an " : "a ") + std::string(noun);
}

std::string plural_of(const Family& family) {
  std::string name(family.name);
  // Inside an environment, "deployment" goes without saying.
  if (name == "deployment_stage") return "stages";
  if (name.ends_with('s')) return name;
  if (!name.ends_with('y')) return name + "s";
  name.pop_back();
  return name + "ies";
}

std::vector<const Family*> children_of(const Family& family) {
  std::vector<const Family*> children;
  for (const Family* child : all_families()) {
    if (child->parent == family.name) children.push_back(child);
  }
  return children;
}

std::string shown_name(const Field& field) { return branded(field.name, brand_default); }

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}

}  // namespace orlop
