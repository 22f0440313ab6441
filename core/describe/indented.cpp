#include "describe/indented.h"

#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t line_width = 110;

void append(std::string& text, const Value& value, std::size_t depth) {
  std::string line = to_json(value);
  const bool is_leaf = !value.is_object() && !value.is_list();
  if (is_leaf || line.size() + 2 * depth <= line_width) {
    text += line;
    return;
  }
  const std::string margin(2 * (depth + 1), ' ');
  std::string_view separator = "\n";
  text += value.is_object() ? '{' : '[';
  if (value.is_object()) {
    for (const Member& member : value.members()) {
      text.append(separator).append(margin);
      append_quoted(text, member.name);
      text += ": ";
      append(text, member.value, depth + 1);
      separator = ",\n";
    }
  } else {
    for (const Value& item : value.items()) {
      text.append(separator).append(margin);
      append(text, item, depth + 1);
      separator = ",\n";
    }
  }
  text.append("\n").append(2 * depth, ' ');
  text += value.is_object() ? '}' : ']';
}

}  // namespace

std::string indented_json(const Value& value) {
  std::string text;
  append(text, value, 0);
  return text + "\n";
}

}  // namespace orlop
