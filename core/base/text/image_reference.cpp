#include "base/text/image_reference.h"

#include <algorithm>
#include <cstddef>

namespace orlop {
namespace {

constexpr std::size_t image_name_size_max = 255;
constexpr std::size_t image_tag_size_max = 128;
constexpr std::size_t digest_digits_min = 32;

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_latin(char c) { return is_small(c) || (c >= 'A' && c <= 'Z'); }
bool is_lower_hexadecimal(char c) { return is_ascii_digit(c) || (c >= 'a' && c <= 'f'); }

bool is_separator(std::string_view text) {
  return text == "." || text == "_" || text == "__" ||
         (!text.empty() && text.find_first_not_of('-') == std::string_view::npos);
}

// Reports whether the part consists of runs of letters and digits with one separator between each two.
bool is_part(std::string_view part) {
  const auto is_plain = [](char c) { return is_small(c) || is_ascii_digit(c); };
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = at;
    while (at < part.size() && is_plain(part[at])) ++at;
    if (at == begin) return false;
    if (at == part.size()) return true;
    const std::size_t separator = at;
    while (at < part.size() && !is_plain(part[at])) ++at;
    if (!is_separator(part.substr(separator, at - separator))) return false;
  }
}

bool is_host_with_port(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
  return std::ranges::all_of(text.substr(0, colon),
                             [](char c) { return is_latin(c) || is_ascii_digit(c) || c == '.' || c == '-'; }) &&
         std::ranges::all_of(text.substr(colon + 1), is_ascii_digit);
}

bool is_digest(std::string_view digest) {
  const std::size_t colon = digest.find(':');
  if (colon == std::string_view::npos || colon == 0 || digest.size() - colon - 1 < digest_digits_min) return false;
  return is_small(digest[0]) &&
         std::ranges::all_of(
             digest.substr(0, colon),
             [](char c) { return is_small(c) || is_ascii_digit(c) || c == '+' || c == '.' || c == '_' || c == '-'; }) &&
         std::ranges::all_of(digest.substr(colon + 1), is_lower_hexadecimal);
}

bool is_plain_tag(std::string_view tag) {
  if (tag.empty() || tag.size() > image_tag_size_max || tag[0] == '.' || tag[0] == '-') return false;
  return std::ranges::all_of(
      tag, [](char c) { return is_latin(c) || is_ascii_digit(c) || c == '_' || c == '.' || c == '-'; });
}

}  // namespace

bool is_image_name(std::string_view name) {
  if (name.size() > image_name_size_max) return false;
  const std::size_t slash = name.find('/');
  if (slash != std::string_view::npos && is_host_with_port(name.substr(0, slash))) name.remove_prefix(slash + 1);
  while (true) {
    const std::size_t end = name.find('/');
    if (!is_part(name.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    name.remove_prefix(end + 1);
  }
}

bool is_image_tag(std::string_view tag) {
  const std::size_t at = tag.find('@');
  if (at != std::string_view::npos) return is_plain_tag(tag.substr(0, at)) && is_digest(tag.substr(at + 1));
  return is_plain_tag(tag) || is_digest(tag);
}

}  // namespace orlop
