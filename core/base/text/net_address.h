// Parsing of internet addresses. Pure: resolves no name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

struct NetAddress {
  std::array<std::uint8_t, 16> bytes{};  // IPv4 uses the first four
  std::size_t size = 4;                  // 4 or 16

  friend bool operator==(const NetAddress&, const NetAddress&) = default;
};

// Reports whether programs read the host as an IPv4 address: its last part is a number, in any notation.
bool is_ipv4_like(std::string_view host);
// Accepts every notation that programs accept: up to four parts, each decimal, octal (0177) or hexadecimal (0x7f).
std::optional<NetAddress> parse_ipv4(std::string_view host);
// Accepts RFC 4291, without brackets and zone; the last four bytes may be in IPv4 notation.
std::optional<NetAddress> parse_ipv6(std::string_view host);

// Addresses that begin with the first `bits` bits of `address`.
struct NetRange {
  NetAddress address;
  std::size_t bits = 0;
  bool holds(const NetAddress& other) const;
};

// Parses "10.0.0.0/8", "fd00::/8", or a single address. Returns nullopt for any other text.
std::optional<NetRange> parse_range(std::string_view text);

// Returns false for addresses other than of a single host of the public internet: private, loopback, link-local, shared
// (CGNAT), multicast, unspecified, reserved and documentation addresses, those that contain an IPv4 address, and the
// metadata services of cloud providers.
bool is_public(const NetAddress& address);

}  // namespace orlop
