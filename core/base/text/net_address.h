// Internet addresses as texts spell them. Pure: nothing is resolved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

struct NetAddress {
  std::array<std::uint8_t, 16> bytes{};  // of IPv4 the first four
  std::size_t size = 4;                  // 4 or 16

  friend bool operator==(const NetAddress&, const NetAddress&) = default;
};

// Whether programs take the host for an IPv4 address: its last part is a number, in whatever spelling.
bool is_ipv4_like(std::string_view host);
// In every spelling that programs accept: four parts or fewer, each decimal, octal (0177) or hexadecimal (0x7f).
std::optional<NetAddress> parse_ipv4(std::string_view host);
// RFC 4291, without brackets and without a zone; the last four bytes may be spelled as IPv4.
std::optional<NetAddress> parse_ipv6(std::string_view host);

// The addresses that begin with the first `bits` bits of `address`.
struct NetRange {
  NetAddress address;
  std::size_t bits = 0;
  bool holds(const NetAddress& other) const;
};

// "10.0.0.0/8", "fd00::/8", or one address alone. Errors: nothing is answered.
std::optional<NetRange> parse_range(std::string_view text);

// False for what is no single host of the public internet: private, loopback, link-local, shared (CGNAT), multicast,
// unspecified, reserved and documentation addresses, those that carry an IPv4 address inside, and the metadata services
// of cloud providers.
bool is_public(const NetAddress& address);

}  // namespace orlop
