// The letters that stand for themselves in a JSON string, eight at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace orlop {

// A bit for each of eight bytes that is no printable ASCII, a quote or a backslash: the highest of the byte. Behind the
// first one there may be more bits than such bytes.
inline std::uint64_t marks_of_special(const char* eight) {
  constexpr std::uint64_t each = 0x0101010101010101ULL;
  std::uint64_t letters = 0;
  std::memcpy(&letters, eight, 8);
  // The highest bit of a byte of each term: it is less than a space, a quote, a backslash, or no ASCII. A borrow from
  // another byte can only come from one that is found already.
  return ((letters - each * 0x20) | ((letters ^ each * '"') - each) | ((letters ^ each * '\\') - each) | letters) &
         each * 0x80;
}

// The first byte from `at` on that is no printable ASCII, a quote or a backslash; `end` if there is none.
inline const char* skip_plain(const char* at, const char* end) {
  // The last bytes of the first half are the first of the second, if it is less than eight.
  if (end - at >= 4 && end - at < 8) {
    std::uint32_t halves[2];
    std::memcpy(&halves[0], at, 4);
    std::memcpy(&halves[1], end - 4, 4);
    if (marks_of_special(reinterpret_cast<const char*>(halves)) == 0) return end;
  }
  if (end - at >= 8) {
    const char* const last = end - 8;
    std::uint64_t found = 0;
    while (at < last && (found = marks_of_special(at)) == 0) at += 8;
    if (found == 0) found = marks_of_special(at = last);  // some of these are looked at twice
    if (found == 0) return end;
    if constexpr (std::endian::native == std::endian::little) return at + std::countr_zero(found) / 8;  // the first
  }
  while (at != end) {
    const auto letter = static_cast<unsigned char>(*at);
    if (letter < 0x20 || letter >= 0x80 || letter == '"' || letter == '\\') break;
    ++at;
  }
  return at;
}

// A bit for each of eight bytes that is a quote: the highest of the byte. Behind the first one there may be more bits
// than quotes.
inline std::uint64_t marks_of_quote(const char* eight) {
  constexpr std::uint64_t each = 0x0101010101010101ULL;
  std::uint64_t letters = 0;
  std::memcpy(&letters, eight, 8);
  letters ^= each * '"';
  return (letters - each) & ~letters & each * 0x80;
}

// The first quote from `at` on; nullptr if there is none. Names and most texts are short: their quote is found without
// a call.
inline const char* find_quote(const char* at, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::size_t words_max = 2;
    for (std::size_t word = 0; word < words_max && end - at >= 8; ++word, at += 8) {
      if (const std::uint64_t found = marks_of_quote(at)) return at + std::countr_zero(found) / 8;
    }
  }
  return static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
}

// Copies as many bytes as one or two words have: the last ones of the first word may be the first of the second.
template <typename Word>
void copy_ends(char* to, const char* from, std::size_t size) {
  Word ends[2];
  std::memcpy(&ends[0], from, sizeof(Word));
  std::memcpy(&ends[1], from + size - sizeof(Word), sizeof(Word));
  std::memcpy(to, &ends[0], sizeof(Word));
  std::memcpy(to + size - sizeof(Word), &ends[1], sizeof(Word));
}

// Copies so many bytes, mostly few: then without a call.
inline void copy_short(char* to, const char* from, std::size_t size) {
  if (size > 16) std::memcpy(to, from, size);
  else if (size >= 8) copy_ends<std::uint64_t>(to, from, size);
  else if (size >= 4) copy_ends<std::uint32_t>(to, from, size);
  else
    for (std::size_t at = 0; at < size; ++at) to[at] = from[at];
}

}  // namespace orlop
