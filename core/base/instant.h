// Points in time: milliseconds since 1970-01-01T00:00:00Z, UTC. Text only at the edge (RFC 3339 with milliseconds).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orlop {

struct Duration {
  std::int64_t milliseconds = 0;
  friend auto operator<=>(const Duration&, const Duration&) = default;
};

struct Instant {
  std::int64_t milliseconds = 0;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};

constexpr Duration seconds(std::int64_t count) { return {count * 1000}; }
constexpr Instant operator+(Instant at, Duration by) { return {at.milliseconds + by.milliseconds}; }
constexpr Instant operator-(Instant at, Duration by) { return {at.milliseconds - by.milliseconds}; }
constexpr Duration operator-(Instant later, Instant earlier) { return {later.milliseconds - earlier.milliseconds}; }

// "2026-01-01T00:00:00.000Z", always 24 characters for the years 0 to 9999.
std::string to_text(Instant at);
// Appends the same to `out`.
void append_text(std::string& out, Instant at);
// Writes instant_text_size letters.
inline constexpr std::size_t instant_text_size = 24;
void write_text(char* to, Instant at);
// Accepts RFC 3339 with any offset and 0 to 9 fraction digits; nothing for any other text.
std::optional<Instant> parse_instant(std::string_view text);

}  // namespace orlop
