// Scans for characters that need no escape in a JSON string, eight bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace orlop {

// Marks each of eight bytes that is a quote, a backslash or not printable ASCII, with its highest bit. After the first
// mark there may be false ones.
inline std::uint64_t marks_of_special(const char* eight) {
  constexpr std::uint64_t each = 0x0101010101010101ULL;
  std::uint64_t letters = 0;
  std::memcpy(&letters, eight, 8);
  // Each term sets the highest bit of a byte: less than a space, a quote, a backslash, or not ASCII. A borrow into a
  // byte can only come from a marked one.
  return ((letters - each * 0x20) | ((letters ^ each * '"') - each) | ((letters ^ each * '\\') - each) | letters) &
         each * 0x80;
}

// Returns the first byte from `at` on that is a quote, a backslash or not printable ASCII; `end` if there is none.
inline const char* skip_plain(const char* at, const char* end) {
  // For less than eight bytes, the two halves overlap.
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
    if (found == 0) found = marks_of_special(at = last);  // overlaps with the loop
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

// Marks each of eight bytes that is a quote, with its highest bit. After the first mark there may be false ones.
inline std::uint64_t marks_of_quote(const char* eight) {
  constexpr std::uint64_t each = 0x0101010101010101ULL;
  std::uint64_t letters = 0;
  std::memcpy(&letters, eight, 8);
  letters ^= each * '"';
  return (letters - each) & ~letters & each * 0x80;
}

// Returns the first quote from `at` on; null if there is none. Finds quotes in the first 16 bytes without a call,
// because names and most texts are short.
inline const char* find_quote(const char* at, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::size_t words_max = 2;
    for (std::size_t word = 0; word < words_max && end - at >= 8; ++word, at += 8) {
      if (const std::uint64_t found = marks_of_quote(at)) return at + std::countr_zero(found) / 8;
    }
  }
  return static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
}

// Copies sizeof(Word) to twice as many bytes. The two halves may overlap.
template <typename Word>
void copy_ends(char* to, const char* from, std::size_t size) {
  Word ends[2];
  std::memcpy(&ends[0], from, sizeof(Word));
  std::memcpy(&ends[1], from + size - sizeof(Word), sizeof(Word));
  std::memcpy(to, &ends[0], sizeof(Word));
  std::memcpy(to + size - sizeof(Word), &ends[1], sizeof(Word));
}

// Copies bytes; up to 16 of them without a call.
inline void copy_short(char* to, const char* from, std::size_t size) {
  if (size > 16) std::memcpy(to, from, size);
  else if (size >= 8) copy_ends<std::uint64_t>(to, from, size);
  else if (size >= 4) copy_ends<std::uint32_t>(to, from, size);
  else
    for (std::size_t at = 0; at < size; ++at) to[at] = from[at];
}

}  // namespace orlop
