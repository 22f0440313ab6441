#include "base/text/connection_string.h"

#include <algorithm>
#include <array>

namespace orlop {
namespace {

constexpr std::string_view hidden = "***";
constexpr std::string_view url_ends = " \t\r\n\"'`<>";
constexpr std::string_view setting_ends = " \t\r\n\"'`<>&;,";

// Returns the start of the first password setting's value, or npos if there is none. Ignores case.
std::size_t value_of_password(std::string_view text, std::size_t from) {
  constexpr std::array<std::string_view, 2> names = {"password=", "passwd="};
  const auto is_same = [](char left, char right) { return (left | 0x20) == right || left == right; };
  std::size_t first = std::string_view::npos;
  for (const std::string_view name : names) {
    const auto found =
        std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), name.begin(), name.end(), is_same);
    if (found != text.end()) first = std::min(first, static_cast<std::size_t>(found - text.begin()) + name.size());
  }
  return first;
}

// In quotes, a backslash escapes the next letter.
std::size_t end_of_quoted(std::string_view text, std::size_t quote) {
  for (std::size_t at = quote + 1; at < text.size(); at += text[at] == '\\' ? 2 : 1) {
    if (text[at] == '\'') return at + 1;
  }
  return text.size();
}

std::string without_settings(std::string_view text) {
  std::string shown;
  std::size_t after = 0;
  for (std::size_t at = value_of_password(text, 0); at != std::string_view::npos; at = value_of_password(text, after)) {
    const bool is_quoted = at < text.size() && text[at] == '\'';
    const std::size_t after_value =
        is_quoted ? end_of_quoted(text, at) : std::min(text.find_first_of(setting_ends, at), text.size());
    shown.append(text.substr(after, at - after)).append(after_value == at ? "" : hidden);
    after = after_value;
  }
  return shown.append(text.substr(after));
}

}  // namespace

std::string without_passwords(std::string_view text) {
  std::string shown;
  std::size_t after = 0;
  for (std::size_t mark = text.find("://"); mark != std::string_view::npos; mark = text.find("://", mark + 3)) {
    if (mark < after) continue;
    const std::string_view url = text.substr(mark + 3, text.find_first_of(url_ends, mark) - mark - 3);
    const std::size_t at = url.rfind('@');
    const std::size_t colon = url.substr(0, at).find(':');
    if (at == std::string_view::npos || colon == std::string_view::npos) continue;
    shown.append(text.substr(after, mark + 3 + colon + 1 - after)).append(hidden);
    after = mark + 3 + at;
  }
  return without_settings(shown.append(text.substr(after)));
}

}  // namespace orlop
