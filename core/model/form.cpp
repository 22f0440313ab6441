#include "model/form.h"

#include <algorithm>

namespace orlop {
namespace {

bool is_letter(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'); }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Returns the number of digits at the start of the text.
std::size_t digits_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// Accepts "<number><letter>" pairs with letters in the given order, and nothing else.
bool is_duration_part(std::string_view text, std::string_view letters) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t whole = digits_of(text.substr(at));
    at += whole;
    if (at < text.size() && text[at] == '.') {
      const std::size_t fraction = digits_of(text.substr(++at));
      at += fraction;
      if (fraction == 0) return false;
    }
    if (whole == 0 || at == text.size()) return false;
    const std::size_t unit = letters.find(text[at++]);
    if (unit == std::string_view::npos) return false;
    letters.remove_prefix(unit + 1);
  }
  return true;
}

}  // namespace

void make_lower_case(std::span<char> text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  make_lower_case(lower);
  return lower;
}

bool is_absolute_uri(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size() || !is_letter(text[0])) return false;
  const auto is_scheme = [](char letter) {
    return is_letter(letter) || is_digit(letter) || letter == '+' || letter == '-' || letter == '.';
  };
  const auto is_visible = [](char letter) { return static_cast<unsigned char>(letter) > 0x20 && letter != 0x7F; };
  return std::ranges::all_of(text.substr(0, colon), is_scheme) && std::ranges::all_of(text.substr(colon), is_visible);
}

bool is_duration(std::string_view text) {
  if (text.size() < 2 || text[0] != 'P') return false;
  text.remove_prefix(1);
  const std::size_t time = text.find('T');
  if (time == std::string_view::npos) return is_duration_part(text, "YMWD");
  return time + 1 < text.size() && is_duration_part(text.substr(0, time), "YMWD") &&
         is_duration_part(text.substr(time + 1), "HMS");
}

}  // namespace orlop
