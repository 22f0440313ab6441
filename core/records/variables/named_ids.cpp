#include "records/variables/named_ids.h"

namespace orlop {
namespace {

constexpr std::string_view lower_digits = "0123456789abcdef";
constexpr std::string_view upper_digits = "0123456789ABCDEF";

bool is_word_letter(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

char changed_case(char digit, std::string_view from, std::string_view to) {
  const std::size_t at = from.find(digit);
  return at == std::string_view::npos ? digit : to[at];
}

}  // namespace

std::size_t find_named_digits(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find_first_of("zZ", from); at != std::string_view::npos;
       at = text.find_first_of("zZ", at + 1)) {
    const std::size_t end = at + 1 + named_digits;
    const bool is_ended = end == text.size() || (end < text.size() && !is_word_letter(text[end]));
    const std::string_view allowed = text[at] == 'z' ? lower_digits : upper_digits;
    if (is_ended && text.substr(at + 1, named_digits).find_first_not_of(allowed) == std::string_view::npos)
      return at + 1;
  }
  return std::string_view::npos;
}

std::string named_digits_of(const Id& id) { return to_text(id).substr(0, named_digits); }

NamedId named_id_at(std::string_view text, std::size_t at) {
  NamedId named;
  named.digits = text.substr(at, named_digits);
  for (char& digit : named.digits) digit = changed_case(digit, upper_digits, lower_digits);
  if (const auto whole = parse_id(text.substr(at, id_text_size))) {
    named.whole = *whole;
    named.size = id_text_size;
  }
  return named;
}

bool write_named_id(std::string& text, std::size_t at, std::size_t size, const Id& id) {
  std::string written = to_text(id).substr(0, size);
  if (at > 0 && text[at - 1] == 'Z') {
    for (char& digit : written) digit = changed_case(digit, lower_digits, upper_digits);
  }
  const bool is_changed = text.compare(at, size, written) != 0;
  text.replace(at, size, written);
  return is_changed;
}

}  // namespace orlop
