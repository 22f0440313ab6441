// Identities: UUIDs of 128 bits; those the engine makes are version 8 (RFC 9562) and sort in the order of creation.
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

  // For comparisons and hashes: two steps in place of sixteen.
  constexpr std::array<std::uint64_t, 2> halves() const { return std::bit_cast<std::array<std::uint64_t, 2>>(bytes); }
  constexpr bool is_nil() const { return (halves()[0] | halves()[1]) == 0; }
  friend constexpr bool operator==(const Id& left, const Id& right) {
    return left.halves()[0] == right.halves()[0] && left.halves()[1] == right.halves()[1];
  }
  // Byte after byte, as texts of ids are ordered.
  friend constexpr std::strong_ordering operator<=>(const Id& left, const Id& right) {
    const auto first = ascending(left.halves()[0]) <=> ascending(right.halves()[0]);
    return first != 0 ? first : ascending(left.halves()[1]) <=> ascending(right.halves()[1]);
  }

 private:
  // The number whose highest byte is the first one.
  static constexpr std::uint64_t ascending(std::uint64_t half) {
    return std::endian::native == std::endian::big ? half : __builtin_bswap64(half);
  }
};

inline constexpr std::size_t id_text_size = 36;

// 36 characters, lower case.
std::string to_text(const Id& id);
void append_text(std::string& out, const Id& id);
// Writes id_text_size letters.
void write_text(char* to, const Id& id);
// Accepts the 36-character form in either case; nothing for any other text.
std::optional<Id> parse_id(std::string_view text);

// The instant that an id of the engine carries: of version 8 as IdMaker makes it, else of version 7.
Instant created_at_of(const Id& id);
// What the counter in the first 32 bits says: how many ids had been given with this one.
std::uint32_t id_count_of(const Id& id);

inline constexpr std::uint32_t id_count_max = UINT32_MAX;

// Makes the ids of one transaction, a pure function of (count, transaction, now, draws). The first 32 bits count up, so
// that ids ascend in the order in which they are made and differ in their first eight digits. Where the counter has
// ended, those digits are the same, and ids ascend by instant, transaction and place in it.
class IdMaker {
 public:
  // `count`: how many ids were made before; kept with the last event of the feed. `transaction`: the number of that
  // event.
  IdMaker(RandomSource& random_source, std::uint64_t transaction, std::uint32_t count, Instant now)
      : random_source_(random_source), transaction_(transaction), count_(count), now_(now) {}

  Id make();
  // How many ids have been made with those of this transaction.
  std::uint32_t count() const { return count_; }
  // 64 random bits that are no part of an id.
  std::uint64_t draw() { return random_source_.draw(transaction_, index_++); }
  // From here on, the ids of the transaction behind so many events of this one.
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
