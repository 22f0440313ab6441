// Instants: milliseconds since 1970-01-01T00:00:00Z, UTC. Text only at the edge (RFC 3339 with milliseconds).
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

// Optional instant in the space of an instant, for rows and other data of which there is much. Converts to
// std::optional.
class OptionalInstant {
 public:
  constexpr OptionalInstant() = default;
  constexpr OptionalInstant(std::nullopt_t) {}
  constexpr OptionalInstant(Instant at) : at_(at) {}
  constexpr OptionalInstant(const std::optional<Instant>& at) : at_(at.value_or(none)) {}
  constexpr operator std::optional<Instant>() const { return has_value() ? std::optional(at_) : std::nullopt; }

  constexpr bool has_value() const { return at_ != none; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr const Instant& operator*() const { return at_; }
  constexpr const Instant* operator->() const { return &at_; }
  constexpr Instant value_or(Instant other) const { return has_value() ? at_ : other; }
  constexpr void reset() { at_ = none; }
  friend constexpr bool operator==(const OptionalInstant&, const OptionalInstant&) = default;
  // Without these overloads, std::optional would compare its value with an OptionalInstant as with a present value.
  friend constexpr bool operator==(const OptionalInstant& left, const std::optional<Instant>& right) {
    return left == OptionalInstant(right);
  }
  friend constexpr bool operator==(const OptionalInstant& left, Instant right) {
    return left.at_ == right && left.has_value();
  }
  friend constexpr bool operator==(const OptionalInstant& left, std::nullopt_t) { return !left.has_value(); }

 private:
  static constexpr Instant none{INT64_MIN};  // before all instants in use
  Instant at_ = none;
};

// Returns the earlier instant. An empty one counts as later than any instant.
constexpr OptionalInstant earlier(OptionalInstant left, OptionalInstant right) {
  if (!left || !right) return left ? left : right;
  return *left < *right ? left : right;
}

constexpr Duration seconds(std::int64_t count) { return {count * 1000}; }
constexpr Instant operator+(Instant at, Duration by) { return {at.milliseconds + by.milliseconds}; }
constexpr Instant operator-(Instant at, Duration by) { return {at.milliseconds - by.milliseconds}; }
constexpr Duration operator-(Instant later, Instant earlier) { return {later.milliseconds - earlier.milliseconds}; }

// Returns "2026-01-01T00:00:00.000Z": 24 characters.
std::string to_text(Instant at);
// Appends the same text to `out`.
void append_text(std::string& out, Instant at);
// Writes instant_text_size characters.
inline constexpr std::size_t instant_text_size = 24;
void write_text(char* to, Instant at);
// Accepts RFC 3339 with any offset and 0 to 9 fraction digits; returns nullopt for any other text.
std::optional<Instant> parse_instant(std::string_view text);

}  // namespace orlop
