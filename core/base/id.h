// Ids: UUIDs of 128 bits. Those made by the engine are version 8 (RFC 9562) and sort by creation.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/source.h"

namespace orlop {

struct Id {
  std::array<std::uint8_t, 16> bytes{};

  // For comparisons and hashes: two steps instead of sixteen.
  constexpr std::array<std::uint64_t, 2> halves() const { return std::bit_cast<std::array<std::uint64_t, 2>>(bytes); }
  constexpr bool is_nil() const { return (halves()[0] | halves()[1]) == 0; }
  friend constexpr bool operator==(const Id& left, const Id& right) {
    return left.halves()[0] == right.halves()[0] && left.halves()[1] == right.halves()[1];
  }
  // Compares byte by byte, in the order of the ids' texts.
  friend constexpr std::strong_ordering operator<=>(const Id& left, const Id& right) {
    const auto first = ascending(left.halves()[0]) <=> ascending(right.halves()[0]);
    return first != 0 ? first : ascending(left.halves()[1]) <=> ascending(right.halves()[1]);
  }

 private:
  // Returns the number of which the half is the big-endian form.
  static constexpr std::uint64_t ascending(std::uint64_t half) {
    return std::endian::native == std::endian::big ? half : __builtin_bswap64(half);
  }
};

inline constexpr std::size_t id_text_size = 36;

// Returns 36 characters, in lower case.
std::string to_text(const Id& id);
void append_text(std::string& out, const Id& id);
// Writes id_text_size characters.
void write_text(char* to, const Id& id);
// Accepts the form of 36 characters in either case; returns nullopt for any other text.
std::optional<Id> parse_id(std::string_view text);

// Returns the creation instant in an id of version 8 made by IdMaker; other ids are read as version 7.
Instant created_at_of(const Id& id);
// Returns the counter in the first 32 bits: the number of ids made up to and including this one.
std::uint32_t id_count_of(const Id& id);

inline constexpr std::uint32_t id_count_max = UINT32_MAX;

// Makes the ids of one transaction, a pure function of (count, transaction, now, draws). The first 32 bits count up, so
// that ids ascend in the order of creation and differ in their first eight digits. Once the counter has reached its
// maximum, those digits are the same, and ids ascend by instant, transaction and index in it.
class IdMaker {
 public:
  // `count`: number of ids made before, stored with the last event of the feed. `transaction`: number of that event.
  IdMaker(RandomSource& random_source, std::uint64_t transaction, std::uint32_t count, Instant now)
      : random_source_(random_source), transaction_(transaction), count_(count), now_(now) {}

  Id make();
  // Number of ids made so far, those of this transaction included.
  std::uint32_t count() const { return count_; }
  // Returns 64 random bits that are not part of an id.
  std::uint64_t draw() { return random_source_.draw(transaction_, index_++); }
  // Continues with the ids of the transaction that starts `events` events later.
  void go_on(std::uint64_t events) {
    transaction_ += events;
    index_ = 0;
  }
  void set_now(Instant now) { now_ = now; }

 private:
  RandomSource& random_source_;
  std::uint64_t transaction_;
  std::uint32_t count_;
  Instant now_;
  std::uint64_t index_ = 0;
};

}  // namespace orlop

template <>
struct std::hash<orlop::Id> {
  std::size_t operator()(const orlop::Id& id) const noexcept {
    const auto [high, low] = id.halves();
    return static_cast<std::size_t>((high ^ (low * 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL);
  }
};
