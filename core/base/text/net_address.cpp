#include "base/text/net_address.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace orlop {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// Returns the labels of a host; a trailing dot ends no label.
std::vector<std::string_view> labels_of(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  return split(host, '.');
}

std::optional<std::uint64_t> number_of(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

// Parses one part of an IPv4 address. "0x" is 0.
std::optional<std::uint64_t> part_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (is_hexadecimal(text)) return text.size() == 2 ? std::optional<std::uint64_t>(0) : number_of(text.substr(2), 16);
  return number_of(text, text.size() > 1 && text.front() == '0' ? 8 : 10);
}

// Appends the 16-bit groups of one side of "::". The last may be an IPv4 address. Returns false if the text is
// malformed.
bool add_groups(std::string_view text, std::vector<std::uint8_t>& bytes) {
  if (text.empty()) return true;
  const std::vector<std::string_view> groups = split(text, ':');
  for (const std::string_view& group : groups) {
    if (&group == &groups.back() && group.find('.') != std::string_view::npos) {
      const auto labels = split(group, '.');
      const bool is_plain = labels.size() == 4 && std::ranges::all_of(labels, [](std::string_view label) {
                              return !label.empty() && std::ranges::all_of(label, is_digit) &&
                                     (label.size() == 1 || label.front() != '0');
                            });
      const auto tail = is_plain ? parse_ipv4(group) : std::nullopt;
      if (!tail) return false;
      bytes.insert(bytes.end(), tail->bytes.begin(), tail->bytes.begin() + 4);
      continue;
    }
    const auto number = group.size() > 4 ? std::nullopt : number_of(group, 16);
    if (!number) return false;
    bytes.push_back(static_cast<std::uint8_t>(*number >> 8));
    bytes.push_back(static_cast<std::uint8_t>(*number & 0xFF));
  }
  return true;
}

// Special addresses by the registries of RFC 6890 and later additions.
constexpr std::string_view special_ipv4[] = {
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    // The last one is used by a cloud provider's services, as are 169.254.169.254 and 100.100.100.200.
    "240.0.0.0/4",
    "168.63.129.16/32",
};
// Only 2000::/3 of IPv6 is allocated; these ranges of it are not hosts, or contain an IPv4 address.
constexpr std::string_view global_ipv6 = "2000::/3";
constexpr std::string_view special_ipv6[] = {"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"};

const std::vector<NetRange>& special_ranges() {
  static const std::vector<NetRange> ranges = [] {
    std::vector<NetRange> all;
    for (const std::string_view text : special_ipv4) all.push_back(*parse_range(text));
    for (const std::string_view text : special_ipv6) all.push_back(*parse_range(text));
    return all;
  }();
  return ranges;
}

}  // namespace

bool is_ipv4_like(std::string_view host) {
  const std::string_view last = labels_of(host).back();
  if (last.empty()) return false;
  return std::ranges::all_of(last, is_digit) || (is_hexadecimal(last) && part_of(last).has_value());
}

std::optional<NetAddress> parse_ipv4(std::string_view host) {
  const std::vector<std::string_view> labels = labels_of(host);
  if (labels.size() > 4) return std::nullopt;
  std::uint64_t address = 0;
  for (std::size_t at = 0; at < labels.size(); ++at) {
    const auto part = part_of(labels[at]);
    // The last part fills all remaining bytes.
    const std::size_t bytes = at + 1 == labels.size() ? 5 - labels.size() : 1;
    if (!part || *part >= std::uint64_t{1} << (8 * bytes)) return std::nullopt;
    address = address << (8 * bytes) | *part;
  }
  NetAddress found;
  for (std::size_t at = 0; at < 4; ++at) found.bytes[at] = static_cast<std::uint8_t>(address >> (8 * (3 - at)) & 0xFF);
  return found;
}

std::optional<NetAddress> parse_ipv6(std::string_view host) {
  constexpr std::size_t size = 16;
  std::vector<std::uint8_t> front;
  std::vector<std::uint8_t> back;
  const std::size_t gap = host.find("::");
  if (host.find(':') == std::string_view::npos || !add_groups(host.substr(0, gap), front)) return std::nullopt;
  if (gap != std::string_view::npos) {
    const std::string_view before = host.substr(0, gap);
    if (before.find('.') != std::string_view::npos || !add_groups(host.substr(gap + 2), back)) return std::nullopt;
  }
  const std::size_t given = front.size() + back.size();
  if (gap == std::string_view::npos ? given != size : given > size - 2) return std::nullopt;
  NetAddress found;
  found.size = size;
  std::ranges::copy(front, found.bytes.begin());
  std::ranges::copy(back, found.bytes.end() - static_cast<std::ptrdiff_t>(back.size()));
  return found;
}

bool NetRange::holds(const NetAddress& other) const {
  if (other.size != address.size) return false;
  for (std::size_t bit = 0; bit < bits; ++bit) {
    const int differs = (address.bytes[bit / 8] ^ other.bytes[bit / 8]) >> (7 - bit % 8) & 1;
    if (differs != 0) return false;
  }
  return true;
}

std::optional<NetRange> parse_range(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view host = text.substr(0, slash);
  const auto address = host.find(':') == std::string_view::npos ? parse_ipv4(host) : parse_ipv6(host);
  if (!address) return std::nullopt;
  const std::size_t all = address->size * 8;
  if (slash == std::string_view::npos) return NetRange{*address, all};
  const auto bits = number_of(text.substr(slash + 1), 10);
  if (!bits || *bits > all) return std::nullopt;
  return NetRange{*address, static_cast<std::size_t>(*bits)};
}

bool is_public(const NetAddress& address) {
  static const NetRange global = *parse_range(global_ipv6);
  if (address.size == 16 && !global.holds(address)) return false;
  return std::ranges::none_of(special_ranges(), [&](const NetRange& range) { return range.holds(address); });
}

}  // namespace orlop
