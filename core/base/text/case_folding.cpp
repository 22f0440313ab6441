#include "base/text/case_folding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "base/text/utf8.h"

namespace orlop {
namespace {

// Range of characters that fold by the same difference.
struct FoldedRun {
  std::int32_t first;
  std::int32_t last;
  std::int32_t distance;
  std::int32_t by;
};

constexpr FoldedRun folded_runs[] = {
#include "base/text/case_folding.def"
};
static_assert(std::ranges::is_sorted(folded_runs, {}, &FoldedRun::first));

std::int32_t folded(std::int32_t character) {
  const auto next = std::ranges::upper_bound(folded_runs, character, {}, &FoldedRun::first);
  if (next == std::begin(folded_runs)) return character;
  const FoldedRun& run = *std::prev(next);
  const bool folds = character <= run.last && (character - run.first) % run.distance == 0;
  return folds ? character + run.by : character;
}

void append_character(std::string& out, std::int32_t character) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (character >> shift & 0x3F)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0 | character >> 6);
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xE0 | character >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | character >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Returns the code point of a well-formed sequence.
std::int32_t character_of(std::string_view sequence) {
  constexpr std::array<int, 5> bits_of_first = {0, 0x7F, 0x1F, 0x0F, 0x07};
  std::int32_t character = static_cast<std::uint8_t>(sequence.front()) & bits_of_first[sequence.size()];
  for (const char byte : sequence.substr(1)) character = character << 6 | (static_cast<std::uint8_t>(byte) & 0x3F);
  return character;
}

}  // namespace

void append_folded(std::string& out, std::string_view text) {
  const std::size_t begin = out.size();
  out.append(text);
  std::uint8_t all = 0;
  for (std::size_t at = begin; at < out.size(); ++at) {
    all = static_cast<std::uint8_t>(all | static_cast<std::uint8_t>(out[at]));
    if (out[at] >= 'A' && out[at] <= 'Z') out[at] = static_cast<char>(out[at] - 'A' + 'a');
  }
  if (all < 0x80) return;
  out.resize(begin);
  while (!text.empty()) {
    const std::size_t size = sequence_length(text);
    if (size == 0) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    append_character(out, folded(character_of(text.substr(0, size))));
    text.remove_prefix(size);
  }
}

std::string fold_case(std::string_view text) {
  std::string folded_text;
  folded_text.reserve(text.size());
  append_folded(folded_text, text);
  return folded_text;
}

}  // namespace orlop
