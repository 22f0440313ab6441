#include "resolution/resolved_variable.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/limits.h"

namespace orlop {
namespace {

constexpr std::array<std::pair<VariableType, std::string_view>, 7> type_names = {{
    {VariableType::value, "VALUE"},
    {VariableType::file, "FILE"},
    {VariableType::alias, "ALIAS"},
    {VariableType::override_, "OVERRIDE"},
    {VariableType::built_in, "BUILT_IN"},
    {VariableType::external_secret, "EXTERNAL_SECRET"},
    {VariableType::file_external_secret, "FILE_EXTERNAL_SECRET"},
}};

bool is_key_letter(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte > 0x20 && byte != 0x7F && letter != '=' && letter != '{' && letter != '}';
}

}  // namespace

std::string_view to_string(VariableType type) {
  for (const auto& [known, name] : type_names) {
    if (known == type) return name;
  }
  return "VALUE";
}

std::optional<VariableType> parse_variable_type(std::string_view name) {
  for (const auto& [type, known] : type_names) {
    if (known == name) return type;
  }
  return std::nullopt;
}

bool is_key(std::string_view text) {
  return !text.empty() && text.size() <= name_size_max && std::ranges::all_of(text, is_key_letter);
}

bool has_reference(std::string_view value) {
  const std::size_t begin = value.find("{{");
  return begin != std::string_view::npos && value.find("}}", begin + 2) != std::string_view::npos;
}

}  // namespace orlop
