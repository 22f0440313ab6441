#include "base/text/target.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/text/net_address.h"

namespace orlop {
namespace {

constexpr std::size_t url_size_max = 2048;
constexpr std::size_t host_size_max = 253;
constexpr std::size_t label_size_max = 63;

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char letter) { return lower(letter); });
  return out;
}

bool is_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
}

// Accepts a host name in lower case, without a trailing dot.
bool is_host_name(std::string_view name) {
  if (name.empty() || name.size() > host_size_max) return false;
  std::size_t label = 0;
  for (const char letter : name) {
    if (letter != '.' && !is_of_name(letter)) return false;
    if (letter == '.' && label == 0) return false;
    label = letter == '.' ? 0 : label + 1;
    if (label > label_size_max) return false;
  }
  return label != 0;
}

struct Host {
  std::string name;                   // in lower case; an IPv6 address without its brackets
  std::optional<NetAddress> address;  // present if the name is an address
};

struct Target {
  bool is_secure = false;
  Host host;
};

constexpr std::string_view shape = "must be an address like https://host/path";

bool is_port(std::string_view text) {
  std::uint32_t port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && port >= 1 && port <= 65535;
}

// Reads host and port. Returns the fault, or "" if there is none.
std::string read_authority(std::string_view authority, Host& host) {
  if (authority.find('@') != std::string_view::npos) return "must not hold a user or password";
  const bool is_bracketed = authority.starts_with('[');
  const std::size_t end = is_bracketed ? authority.find(']') : authority.find(':');
  if (is_bracketed && end == std::string_view::npos) return std::string(shape);
  const std::size_t size = std::min(is_bracketed ? end + 1 : end, authority.size());
  const std::string_view rest = authority.substr(size);
  if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1))))
    return "must have a port of 1 to 65535, or none";
  if (is_bracketed) {
    host.name = lower(authority.substr(1, end - 1));
    host.address = parse_ipv6(host.name);
    return host.address ? "" : std::string(shape);
  }
  host.name = lower(authority.substr(0, size));
  if (host.name.ends_with('.')) host.name.pop_back();
  if (!is_host_name(host.name)) return std::string(shape);
  if (!is_ipv4_like(host.name)) return "";
  host.address = parse_ipv4(host.name);
  return host.address ? "" : std::string(shape);
}

std::string read_target(std::string_view url, Target& target) {
  if (url.size() > url_size_max) return "must have at most " + std::to_string(url_size_max) + " bytes";
  const bool is_plain =
      std::ranges::all_of(url, [](char letter) { return letter > ' ' && letter <= '~' && letter != '\\'; });
  if (!is_plain) return "must hold nothing but printable ASCII letters, without spaces and backslashes";
  const std::size_t colon = url.find("://");
  const std::string scheme = lower(url.substr(0, colon));
  if (colon == std::string_view::npos || (scheme != "https" && scheme != "http")) return "must begin with https://";
  target.is_secure = scheme == "https";
  const std::string_view rest = url.substr(colon + 3);
  return read_authority(rest.substr(0, rest.find_first_of("/?#")), target.host);
}

bool is_allowed(const Host& host, std::span<const std::string> allowed) {
  return std::ranges::any_of(allowed, [&](const std::string& entry) {
    const auto range = parse_range(entry);
    if (range) return host.address && range->holds(*host.address);
    return lower(entry) == host.name;
  });
}

// Reports whether the name means the machine itself or a private network (RFC 6761, RFC 6762, RFC 9476 and common use).
bool is_inner_name(std::string_view name) {
  constexpr std::string_view inner[] = {"localhost", "local", "internal",    "intranet", "lan",
                                        "home",      "corp",  "localdomain", "home.arpa"};
  return std::ranges::any_of(inner, [name](std::string_view last) {
    return name == last ||
           (name.size() > last.size() && name.ends_with(last) && name[name.size() - last.size() - 1] == '.');
  });
}

}  // namespace

bool is_allow_entry(std::string_view text) {
  if (parse_range(text)) return true;
  const std::string name = lower(text);
  return is_host_name(name) && !is_ipv4_like(name);
}

std::string target_refusal(std::string_view url, std::span<const std::string> allowed) {
  Target target;
  if (std::string wrong = read_target(url, target); !wrong.empty()) return wrong;
  if (is_allowed(target.host, allowed)) return "";
  if (!target.is_secure) return "must begin with https://; http is for hosts on the engine's allow list";
  const bool is_inner = target.host.address ? !is_public(*target.host.address) : is_inner_name(target.host.name);
  return is_inner ? "must lead to the public internet, or to a host on the engine's allow list; not to \"" +
                        target.host.name + "\""
                  : "";
}

std::string target_host(std::string_view url) {
  Target target;
  return read_target(url, target).empty() ? target.host.name : std::string();
}

}  // namespace orlop
