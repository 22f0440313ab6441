// Identities: UUIDs of 128 bits; those the engine makes are version 7 (RFC 9562), so that they sort by time of birth.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/source.h"

namespace orlop {

struct Id {
  std::array<std::uint8_t, 16> bytes{};

  bool is_nil() const { return bytes == std::array<std::uint8_t, 16>{}; }
  friend auto operator<=>(const Id&, const Id&) = default;
  friend bool operator==(const Id&, const Id&) = default;
};

inline constexpr std::size_t id_text_size = 36;

// 36 characters, lower case.
std::string to_text(const Id& id);
void append_text(std::string& out, const Id& id);
// Writes id_text_size letters.
void write_text(char* to, const Id& id);
// Accepts the 36-character form in either case; nothing for any other text.
std::optional<Id> parse_id(std::string_view text);

// The instant that a version 7 id carries.
Instant created_at_of(const Id& id);

// Makes the ids of one transaction: strictly increasing within it and, at equal times, over transactions of rising number; a pure
// function of (now, transaction, draws).
class IdMaker {
 public:
  IdMaker(RandomSource& random_source, std::uint64_t transaction, Instant now)
      : random_source_(random_source), transaction_(transaction), now_(now) {}

  Id make();
  // 64 random bits that are no part of an id.
  std::uint64_t draw() { return random_source_.draw(transaction_, index_++); }

 private:
  RandomSource& random_source_;
  std::uint64_t transaction_;
  Instant now_;
  std::uint64_t index_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace orlop

template <>
struct std::hash<orlop::Id> {
  std::size_t operator()(const orlop::Id& id) const noexcept {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::memcpy(&high, id.bytes.data(), 8);
    std::memcpy(&low, id.bytes.data() + 8, 8);
    return static_cast<std::size_t>((high ^ (low * 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL);
  }
};
