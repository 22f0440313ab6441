#include "describe/words.h"

#include <algorithm>
#include <utility>

#include "base/brand.h"
#include "model/registry.h"

namespace orlop {
namespace {

bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

std::string pluralized(std::string noun) {
  if (noun.ends_with("sis")) return noun.replace(noun.size() - 2, 2, "es");
  if (noun.ends_with('s')) return noun;
  if (!noun.ends_with('y')) return noun + "s";
  noun.pop_back();
  return noun + "ies";
}

// Returns product names and abbreviations in their usual spelling.
std::string_view proper(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"api", "API"},           {"app", "application"},     {"argocd", "ArgoCD"},
      {"aws", "AWS"},           {"azure", "Azure"},         {"gcp", "GCP"},
      {"git", "Git"},           {"helm", "Helm"},           {"mcp", "MCP"},
      {"scaleway", "Scaleway"}, {"terraform", "Terraform"},
  };
  for (const auto& [plain, own] : names) {
    if (plain == word) return own;
  }
  return word;
}

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
  std::string words;
  while (!name.empty()) {
    const std::string_view word = name.substr(0, name.find('_'));
    name.remove_prefix(std::min(word.size() + 1, name.size()));
    words.append(words.empty() ? "" : " ").append(proper(word));
  }
  return words;
}

std::string with_article(std::string_view noun) {
  if (noun.ends_with('s') && !noun.ends_with("sis")) return std::string(noun);
  constexpr std::string_view vowels = "aeiouAEIOU";
  const bool is_open = !noun.empty() && vowels.find(noun.front()) != std::string_view::npos;
  return (is_open ? "an " : "a ") + std::string(noun);
}

std::string noun_of(const Family& family) {
  if (family.name == "on_premise_credentials") return "on-premise credentials";
  const bool is_tool = family.name == "helm" || family.name == "terraform";
  return spaced(family.name) + (is_tool ? " service" : "");
}

std::string nouns_of(const Family& family) { return pluralized(noun_of(family)); }

std::string plural_of(const Family& family) {
  // Inside an environment, "deployment" is redundant.
  if (family.name == "deployment_stage") return "stages";
  return pluralized(std::string(family.name));
}

std::vector<const Family*> children_of(const Family& family) {
  std::vector<const Family*> children;
  for (const Family* child : all_families()) {
    if (may_be_parent(family, *child) && child->verbs != 0) children.push_back(child);
  }
  return children;
}

std::string parents_text(const Family& family) {
  std::string text;
  const auto parents = parents_of(family);
  for (std::size_t at = 0; at < parents.size(); ++at) {
    text += at == 0 ? "" : at + 1 == parents.size() ? " or " : ", ";
    text += noun_of(*parents[at]);
  }
  return text;
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
