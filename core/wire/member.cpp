#include "wire/member.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace orlop {
namespace {

// Behind the closing quote of the string that opens at `at`. Here and below: nullptr if there is no such place.
const char* end_of_string(const char* at, const char* end) {
  const char* const begin = at + 1;
  for (const char* quote = begin; quote < end; ++quote) {
    quote = static_cast<const char*>(std::memchr(quote, '"', static_cast<std::size_t>(end - quote)));
    if (quote == nullptr) return nullptr;
    // One that belongs to the text has an odd number of backslashes before it.
    const char* before = quote;
    while (before != begin && before[-1] == '\\') --before;
    if ((quote - before) % 2 == 0) return quote + 1;
  }
  return nullptr;
}

// The end of a list of ids as Writer writes it, which begins at `at`: every item needs the same space, and is looked at in a few places. nullptr: it is another list.
const char* end_of_ids(const char* at, const char* end) {
  constexpr std::ptrdiff_t digits = 36;
  constexpr std::ptrdiff_t item_size = digits + 3;  // two quotes, and a comma or the end of the list
  constexpr std::ptrdiff_t hyphens[] = {9, 14, 19, 24};
  for (++at; end - at >= item_size; at += item_size) {
    // Without a quote in between the one behind it ends it, and what comes then stands outside of texts.
    const bool is_id = at[0] == '"' && at[digits] != '\\' && at[digits + 1] == '"' && std::memchr(at + 1, '"', digits) == nullptr &&
                       std::ranges::all_of(hyphens, [at](std::ptrdiff_t place) { return at[place] == '-'; });
    if (!is_id) return nullptr;
    if (at[item_size - 1] == ']') return at + item_size;
    if (at[item_size - 1] != ',') return nullptr;
  }
  return nullptr;
}

// Behind the value that begins at `at`; something must follow it.
const char* end_of_value(const char* at, const char* end) {
  std::size_t depth = 0;
  if (at < end && *at == '[') {
    if (const char* const behind = end_of_ids(at, end)) return behind < end ? behind : nullptr;
  }
  while (at < end) {
    switch (*at) {
      case '"':
        at = end_of_string(at, end);
        if (at == nullptr) return nullptr;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth-- == 0) return at;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default:
        break;
    }
    ++at;
  }
  return nullptr;
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
  if (at_ == end_ || *at_ != '"') return false;
  const char* const key_end = end_of_string(at_, end_);
  if (key_end == nullptr || key_end == end_ || *key_end != ':') return false;
  const char* const value_end = end_of_value(key_end + 1, end_);
  if (value_end == nullptr) return false;
  name = std::string_view(at_ + 1, static_cast<std::size_t>(key_end - at_ - 2));
  raw = std::string_view(key_end + 1, static_cast<std::size_t>(value_end - key_end - 1));
  is_whole_ = *value_end == '}' && value_end + 1 == end_;
  at_ = *value_end == ',' ? value_end + 1 : end_;
  return true;
}

namespace {

// How the texts of most records begin: with the same members, whose values have as many bytes, none of which is a quote.
constexpr std::string_view heading_parts[] = {R"({"id":")", R"(","created_at":")", R"(","updated_at":")", R"(",")"};
constexpr std::size_t heading_values[] = {36, 24, 24, 0};
constexpr std::array<std::string_view, 3> heading_names = {"id", "created_at", "updated_at"};

// Where the member behind them begins; 0: the text begins in another way.
std::size_t end_of_heading(std::string_view record) {
  std::size_t at = 0;
  for (std::size_t part = 0; part < std::size(heading_parts); ++part) {
    const std::string_view letters = heading_parts[part];
    if (record.size() < at + letters.size() + heading_values[part] || std::memcmp(record.data() + at, letters.data(), letters.size()) != 0) return 0;
    at += letters.size();
    const char* const value = record.data() + at;
    const std::size_t size = heading_values[part];
    if (size != 0 && (value[size - 1] == '\\' || std::memchr(value, '"', size) != nullptr)) return 0;
    at += size;
  }
  return at - 1;  // at the quote of its name
}

}  // namespace

std::string_view raw_member(std::string_view object, std::string_view name) {
  const std::size_t from = std::ranges::find(heading_names, name) == heading_names.end() ? end_of_heading(object) : 0;
  RawMembers members = from == 0 ? RawMembers(object) : RawMembers(object, from);
  for (std::string_view member, text; members.next(member, text);) {
    if (member == name) return text;
  }
  return {};
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
