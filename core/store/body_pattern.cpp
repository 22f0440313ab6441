#include "store/body_pattern.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "store/varint.h"

namespace orlop {
namespace {

constexpr std::string_view member_begin = ",\"";
constexpr std::size_t mark_size = 12;  // bytes of a member's beginning that are searched for in the other text
constexpr std::size_t places_tried = 4;
constexpr std::size_t differences_max = 32;

std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Returns the size of the common prefix of the texts.
std::size_t common_size(std::string_view left, std::string_view right) {
  const std::size_t size = std::min(left.size(), right.size());
  const char* const here = left.data();
  const char* const there = right.data();
  std::size_t at = 0;
  const auto differs = [&](std::size_t word) { return word_at(here + at + word * 8) ^ word_at(there + at + word * 8); };
  while (at + 32 <= size && (differs(0) | differs(1) | differs(2) | differs(3)) == 0) at += 32;
  for (; at + 8 <= size; at += 8) {
    if (const std::uint64_t other = differs(0); other != 0)
      return at + static_cast<std::size_t>(std::endian::native == std::endian::little ? std::countr_zero(other)
                                                                                      : std::countl_zero(other)) /
                      8;
  }
  while (at < size && here[at] == there[at]) ++at;
  return at;
}

// Compares eight bytes first: most positions with the same first letter differ in them.
std::size_t find_mark(std::string_view text, std::string_view mark, std::size_t from) {
  if (mark.size() < 8) return text.find(mark, from);
  const std::uint64_t word = word_at(mark.data());
  for (std::size_t at = text.find(mark.front(), from); at != std::string_view::npos && at + 8 <= text.size();
       at = text.find(mark.front(), at + 1)) {
    if (word_at(text.data() + at) == word && text.substr(at).starts_with(mark)) return at;
  }
  return std::string_view::npos;
}

// A difference: number of bytes kept from the pattern, number of bytes of the pattern that are skipped, and a text to
// insert. The size of the text is stored plus one; 0 stands for the record's id.
void put_difference(std::string& out, std::size_t kept, std::size_t skipped, std::string_view text) {
  put_varint(out, kept);
  put_varint(out, skipped);
  put_varint(out, text.size() + 1);
  out += text;
}
void put_own_id(std::string& out, std::size_t kept) {
  put_varint(out, kept);
  put_varint(out, id_text_size);
  put_varint(out, 0);
}

}  // namespace

BodyPattern::BodyPattern(std::string body, const Id& own) : text_(std::move(body)), own_at_(text_.find(to_text(own))) {
  for (std::size_t at = text_.find(member_begin); at != std::string::npos; at = text_.find(member_begin, at + 1))
    begins_.push_back(static_cast<std::uint32_t>(at));
}

BodyPattern::Places BodyPattern::meet(Places from, std::string_view body) const {
  auto begin = std::ranges::lower_bound(begins_, from.here);
  for (std::size_t tried = 0; tried < places_tried && begin != begins_.end(); ++tried, ++begin) {
    const std::string_view mark = std::string_view(text_).substr(*begin, mark_size);
    if (const std::size_t found = find_mark(body, mark, from.there); found != std::string_view::npos)
      return {*begin, found};
  }
  return {text_.size(), body.size()};
}

bool BodyPattern::pack(std::string_view body, const Id& own, std::string& packed) const {
  const std::size_t size_allowed = body.size() / 2;
  packed.clear();
  std::size_t differences = 0;
  Places at;
  while (differences++ < differences_max && packed.size() <= size_allowed) {
    const std::size_t kept = common_size(std::string_view(text_).substr(at.here), body.substr(at.there));
    const Places end{at.here + kept, at.there + kept};
    if (end.here == text_.size() && end.there == body.size()) return true;
    if (own_at_ != std::string::npos && at.here <= own_at_ && end.here >= own_at_ &&
        end.here < own_at_ + id_text_size) {
      const std::size_t before = own_at_ - at.here;
      char id[id_text_size];
      write_text(id, own);
      if (body.substr(at.there + before).starts_with(std::string_view(id, id_text_size))) {
        put_own_id(packed, before);
        at = {at.here + before + id_text_size, at.there + before + id_text_size};
        continue;
      }
    }
    at = meet(end, body);
    const std::string_view other = body.substr(end.there, at.there - end.there);
    put_difference(packed, kept, at.here - end.here, other);
  }
  return false;
}

void BodyPattern::unpack(std::string_view packed, std::size_t size, const Id& own, std::string& out) const {
  out.resize(size);
  char* to = out.data();
  const auto put = [&to](const char* piece, std::size_t count) {
    std::memcpy(to, piece, count);
    to += count;
  };
  const char* from = packed.data();
  const char* const end = from + packed.size();
  std::size_t here = 0;
  while (from != end) {
    const auto kept = static_cast<std::size_t>(take_varint(from));
    put(text_.data() + here, kept);
    here += kept + static_cast<std::size_t>(take_varint(from));
    const auto given = static_cast<std::size_t>(take_varint(from));
    if (given == 0) {
      write_text(to, own);
      to += id_text_size;
      continue;
    }
    put(from, given - 1);
    from += given - 1;
  }
  put(text_.data() + here, text_.size() - here);
}

bool BodyPatterns::pack_by_one(Known& known, std::string_view body, const Id& own) {
  for (auto pattern = known.patterns.begin(); pattern != known.patterns.end(); ++pattern) {
    if (!(*pattern)->pack(body, own, packed_)) continue;
    std::rotate(known.patterns.begin(), pattern, pattern + 1);
    return true;
  }
  return false;
}

BodyPatterns::Packed BodyPatterns::pack(FamilyNumber family, std::string_view body, const Id& own) {
  constexpr std::size_t patterns_max = 4;
  constexpr unsigned misses_tolerated = 3;  // a family with few records keeps whole bodies, which are read faster
  // Bodies of which more than an eighth differs, such as those of another environment.
  constexpr unsigned loose_tolerated = 15;
  constexpr unsigned rest_min = 4;
  constexpr unsigned rest_max = 64;
  if (body.size() < BodyPattern::size_min || body.size() > BodyPattern::size_max) return {};
  Known& known = families_[family];
  if (known.resting > 0) {
    --known.resting;
    return {};
  }
  bool is_tolerated = known.misses < misses_tolerated;
  if (pack_by_one(known, body, own)) {
    ++known.fits;
    const bool is_loose = packed_.size() > body.size() / 8;
    if (!is_loose || known.loose++ < loose_tolerated) return {known.patterns.front(), packed_};
    is_tolerated = false;
  }
  ++known.misses;
  if (is_tolerated) return {};
  // After a few fits, a miss does not lead to pauses.
  if (known.fits > misses_tolerated) known.rest = 0;
  if (!known.patterns.empty() && known.fits <= misses_tolerated && !std::exchange(known.has_rested, true)) {
    known.rest = known.resting = std::clamp(known.rest * 2, rest_min, rest_max);
    return {};
  }
  known.has_rested = false;
  if (known.fits == 0 && !known.patterns.empty()) known.patterns.erase(known.patterns.begin());
  known.patterns.insert(known.patterns.begin(), Shared<BodyPattern>(BodyPattern(std::string(body), own)));
  if (known.patterns.size() > patterns_max) known.patterns.pop_back();
  known.misses = known.loose = known.fits = 0;
  return {known.patterns.front(), {}};
}

}  // namespace orlop
