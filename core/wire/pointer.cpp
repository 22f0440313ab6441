#include "wire/pointer.h"

#include <charconv>
#include <cstddef>
#include <cstdint>

#include "wire/json.h"

namespace orlop {
namespace {

// Reads forward through valid JSON text. Reports invalid text at its end at the latest.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char letter) {
    if (peek() != letter) return false;
    ++at_;
    return true;
  }
  // Reads the next value as raw text. Its depth is not limited.
  std::optional<std::string_view> value() {
    if (peek() == '"') return string();
    const std::size_t from = at_;
    std::size_t depth = 0;
    while (peek() != '\0') {
      const char letter = text_[at_];
      if (depth == 0 && (letter == ',' || letter == '}' || letter == ']')) break;
      if (letter == '"') {
        if (!string()) return std::nullopt;
      } else {
        if (letter == '{' || letter == '[') ++depth;
        if (letter == '}' || letter == ']') --depth;
        ++at_;
      }
      if (depth == 0 && (text_[at_ - 1] == '}' || text_[at_ - 1] == ']')) break;
    }
    std::string_view found = text_.substr(from, at_ - from);
    while (!found.empty() && found.back() <= ' ') found.remove_suffix(1);
    if (depth != 0 || found.empty()) return std::nullopt;
    return found;
  }
  // Reads the next string, with its quotes.
  std::optional<std::string_view> string() {
    const std::size_t from = at_;
    if (!take('"')) return std::nullopt;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) return std::nullopt;
    ++at_;
    return text_.substr(from, at_ - from);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Returns the characters of a JSON string.
std::optional<std::string> text_of(std::string_view quoted) {
  if (quoted.find('\\') == std::string_view::npos) return std::string(quoted.substr(1, quoted.size() - 2));
  const auto parsed = parse_json(quoted);
  if (!parsed || !parsed->is_text()) return std::nullopt;
  return parsed->as_text();
}

// Decodes a token of the pointer: ~1 is /, ~0 is ~.
std::optional<std::string> unescaped(std::string_view token) {
  std::string out;
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (token[at] != '~') {
      out += token[at];
      continue;
    }
    ++at;
    if (at == token.size() || (token[at] != '0' && token[at] != '1')) return std::nullopt;
    out += token[at] == '0' ? '~' : '/';
  }
  return out;
}

std::optional<std::string_view> member_of(std::string_view object, std::string_view name) {
  Scanner scanner(object);
  if (!scanner.take('{')) return std::nullopt;
  while (scanner.peek() == '"') {
    const auto key = scanner.string();
    if (!key || !scanner.take(':')) return std::nullopt;
    const auto found = scanner.value();
    if (!found) return std::nullopt;
    if (text_of(*key) == name) return found;
    if (!scanner.take(',')) return std::nullopt;
  }
  return std::nullopt;
}

// Returns the item of a list. An index has no leading zeros; "-" means the item after the last, which does not exist.
std::optional<std::string_view> item_of(std::string_view list, std::string_view token) {
  std::uint64_t index = 0;
  const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (failure != std::errc() || end != token.data() + token.size() || (token.size() > 1 && token.front() == '0'))
    return std::nullopt;
  Scanner scanner(list);
  if (!scanner.take('[') || scanner.peek() == ']') return std::nullopt;
  for (;; --index) {
    const auto found = scanner.value();
    if (!found || index == 0) return found;
    if (!scanner.take(',')) return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> find_by_pointer(std::string_view json, std::string_view pointer) {
  if (!pointer.empty() && pointer.front() != '/') return std::nullopt;
  auto found = Scanner(json).value();
  while (found && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = pointer.find('/');
    const auto token = unescaped(pointer.substr(0, end));
    if (!token) return std::nullopt;
    found = found->front() == '[' ? item_of(*found, *token) : member_of(*found, *token);
    pointer = end == std::string_view::npos ? std::string_view() : pointer.substr(end);
  }
  if (!found) return std::nullopt;
  return found->front() == '"' ? text_of(*found) : std::string(*found);
}

}  // namespace orlop
