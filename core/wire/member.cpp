#include "wire/member.h"

#include <algorithm>
#include <cstddef>

#include "wire/plain_run.h"

namespace orlop {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

// Behind the closing quote of the string that opens at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* letter = skip_plain(begin + at + 1, end); letter < end; letter = skip_plain(letter + 1, end)) {
    if (*letter == '"') return static_cast<std::size_t>(letter - begin) + 1;
    if (*letter == '\\' && ++letter == end) break;
  }
  return nowhere;
}

// The end of a list of ids as Writer writes it, which begins at `at`: every item needs the same space, and is looked at in a few places. nowhere: it is another list.
std::size_t end_of_ids(std::string_view text, std::size_t at) {
  constexpr std::size_t digits = 36;
  constexpr std::size_t item_size = digits + 3;  // two quotes, and a comma or the end of the list
  constexpr std::size_t hyphens[] = {9, 14, 19, 24};
  for (++at; text.size() - at >= item_size; at += item_size) {
    const std::string_view item = text.substr(at, item_size);
    const bool is_id = item.front() == '"' && item[digits] != '\\' && item[digits + 1] == '"' &&
                       std::ranges::all_of(hyphens, [item](std::size_t place) { return item[place] == '-'; });
    if (!is_id) return nowhere;
    if (item.back() == ']') return at + item_size - 1;
    if (item.back() != ',') return nowhere;
  }
  return nowhere;
}

// Behind the value that begins at `at`.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  if (at < text.size() && text[at] == '[') {
    if (const std::size_t end = end_of_ids(text, at); end != nowhere) return end + 1 < text.size() ? end + 1 : nowhere;
  }
  while (at < text.size()) {
    const char letter = text[at];
    if (depth == 0 && (letter == ',' || letter == '}' || letter == ']')) return at;
    if (letter == '"') {
      at = end_of_string(text, at);
      continue;
    }
    if (letter == '{' || letter == '[') ++depth;
    if (letter == '}' || letter == ']') --depth;
    ++at;
  }
  return nowhere;
}

// Hands name and text of each member to `take` until it answers false. False: the object is not as Writer writes it.
template <typename Take>
bool each_member(std::string_view object, Take take) {
  RawMembers members(object);
  for (std::string_view name, text; members.next(name, text);) {
    if (!take(name, text)) return true;
  }
  return !members.is_broken();
}

}  // namespace

bool RawMembers::next(std::string_view& name, std::string_view& raw) {
  if (at_ >= object_.size() || object_[at_] != '"') return false;
  const std::size_t key_end = end_of_string(object_, at_);
  if (key_end == nowhere || key_end >= object_.size() || object_[key_end] != ':') return false;
  const std::size_t value_end = end_of_value(object_, key_end + 1);
  if (value_end == nowhere) return false;
  name = object_.substr(at_ + 1, key_end - at_ - 2);
  raw = object_.substr(key_end + 1, value_end - key_end - 1);
  is_whole_ = object_[value_end] == '}' && value_end + 1 == object_.size();
  at_ = object_[value_end] == ',' ? value_end + 1 : object_.size();
  return true;
}

std::string_view raw_member(std::string_view object, std::string_view name) {
  std::string_view found;
  const bool is_plain = each_member(object, [&](std::string_view member, std::string_view text) {
    if (member != name) return true;
    found = text;
    return false;
  });
  return is_plain ? found : std::string_view();
}

bool raw_members(std::string_view object, std::span<const std::string_view> names, std::span<std::string_view> texts) {
  std::fill(texts.begin(), texts.end(), std::string_view());
  std::size_t left = names.size();
  return each_member(object, [&](std::string_view member, std::string_view text) {
    const auto named = std::find(names.begin(), names.end(), member);
    if (named == names.end()) return true;
    texts[static_cast<std::size_t>(named - names.begin())] = text;
    return --left > 0;
  });
}

}  // namespace orlop
