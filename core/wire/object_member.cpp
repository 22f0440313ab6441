#include "wire/object_member.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "base/id.h"
#include "base/instant.h"
#include "wire/plain_run.h"

namespace orlop {
namespace {

// Reports whether the bytes contain no quote and do not end in a backslash: a quote after them then ends their string.
template <std::size_t size>
bool is_inside_of_string(const char* at) {
  std::uint64_t marks = size % 8 == 0 ? 0 : marks_of_quote(at + size - 8);  // overlaps with the loop
  for (std::size_t word = 0; word + 8 <= size; word += 8) marks |= marks_of_quote(at + word);
  return marks == 0 && at[size - 1] != '\\';
}

// Returns the position after the string that opens at `at`. The functions below also return null if there is none.
const char* end_of_string(const char* at, const char* end) {
  const char* const begin = at + 1;
  for (const char* quote = begin; quote < end; ++quote) {
    quote = find_quote(quote, end);
    if (quote == nullptr) return nullptr;
    // A quote after an odd number of backslashes is part of the text.
    const char* before = quote;
    while (before != begin && before[-1] == '\\') --before;
    if ((quote - before) % 2 == 0) return quote + 1;
  }
  return nullptr;
}

// Returns the end of a list of ids as Writer writes it, which begins at `at`; null for any other list. Checks only a
// few bytes of each item, because all have the same size.
const char* end_of_ids(const char* at, const char* end) {
  constexpr std::ptrdiff_t digits = id_text_size;
  constexpr std::ptrdiff_t item_size = digits + 3;  // two quotes, and a comma or the end of the list
  constexpr std::ptrdiff_t hyphens[] = {9, 14, 19, 24};
  for (++at; end - at >= item_size; at += item_size) {
    // Without a quote inside, the quote after the bytes ends the string.
    const bool is_id = at[0] == '"' && at[digits + 1] == '"' && is_inside_of_string<digits>(at + 1) &&
                       std::ranges::all_of(hyphens, [at](std::ptrdiff_t place) { return at[place] == '-'; });
    if (!is_id) return nullptr;
    if (at[item_size - 1] == ']') return at + item_size;
    if (at[item_size - 1] != ',') return nullptr;
  }
  return nullptr;
}

// Returns the end of a reference as Writer writes it: an object whose only member is an id. Null for any other object.
const char* end_of_reference(const char* at, const char* end) {
  constexpr std::string_view before = R"({"id":")";
  constexpr std::string_view behind = R"("})";
  constexpr std::ptrdiff_t size = before.size() + id_text_size + behind.size();
  if (end - at < size || std::memcmp(at, before.data(), before.size()) != 0) return nullptr;
  const char* const id_end = at + before.size() + id_text_size;
  if (std::memcmp(id_end, behind.data(), behind.size()) != 0 || !is_inside_of_string<id_text_size>(at + before.size()))
    return nullptr;
  return at + size;
}

// Returns the end of the value that begins at `at`; something must follow it.
const char* end_of_value(const char* at, const char* end) {
  std::size_t depth = 0;
  if (at < end && (*at == '[' || *at == '{')) {
    if (const char* const behind = *at == '[' ? end_of_ids(at, end) : end_of_reference(at, end)) at = behind;
  }
  while (at < end) {
    switch (*at) {
      case '"':
        at = end_of_string(at, end);
        if (at == nullptr) return nullptr;
        continue;
      case '{':
      case '[': ++depth; break;
      case '}':
      case ']':
        if (depth-- == 0) return at;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default: break;
    }
    ++at;
  }
  return nullptr;
}

// Passes name and text of each member to `take` until it returns false. Returns false if the object is not as Writer
// writes it.
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

// First members of most records. Their values have fixed sizes and contain no quote.
constexpr std::array<std::string_view, 3> heading_names = {"id", "created_at", "updated_at"};

// Reads this beginning. The caller has checked that there are enough bytes.
class Heading {
 public:
  explicit Heading(const char* at) : at_(at) {}

  // Reads the letters and then, unless `value_size` is 0, a value of this size. Sizes are constants, so that the
  // compiler inlines the comparisons.
  template <std::size_t value_size, std::size_t size>
  bool has(const char (&letters)[size]) {
    if (std::memcmp(at_, letters, size - 1) != 0) return false;
    at_ += size - 1;
    if constexpr (value_size != 0) {
      if (!is_inside_of_string<value_size>(at_)) return false;
      at_ += value_size;
    }
    return true;
  }

 private:
  const char* at_;
};

// Returns the start of the member after them; 0 if the text begins differently.
std::size_t end_of_heading(std::string_view record) {
  constexpr std::size_t letters = std::string_view(R"({"id":"","created_at":"","updated_at":"",")").size();
  constexpr std::size_t size = letters + id_text_size + 2 * instant_text_size;
  if (record.size() < size) return 0;
  Heading heading(record.data());
  const bool is_usual = heading.has<id_text_size>(R"({"id":")") &&
                        heading.has<instant_text_size>(R"(","created_at":")") &&
                        heading.has<instant_text_size>(R"(","updated_at":")") && heading.has<0>(R"(",")");
  return is_usual ? size - 1 : 0;  // at the quote of its name
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
