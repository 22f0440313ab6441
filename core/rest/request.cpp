#include "rest/request.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "model/form.h"

namespace orlop {
namespace {

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

enum class Plus : std::uint8_t { is_plus, is_space };

// Fast path: printable ASCII without an escape. No early exit, so that the compiler vectorizes the loop.
bool is_plain(std::string_view text) {
  std::uint8_t seen = 0;
  for (const char letter : text)
    seen |= static_cast<std::uint8_t>((static_cast<signed char>(letter) <= ' ') | (letter == 0x7F) | (letter == '%') |
                                      (letter == '+'));
  return seen == 0;
}

std::optional<std::string> decode(std::string_view text, Plus plus) {
  if (is_plain(text)) return std::string(text);
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus == Plus::is_space) {
      decoded.push_back(' ');
    } else if (text[at] != '%') {
      decoded.push_back(text[at]);
    } else {
      const int high = at + 2 < text.size() ? hex_value(text[at + 1]) : -1;
      const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      decoded.push_back(static_cast<char>(high * 16 + low));
      at += 2;
    }
  }
  for (const char letter : decoded) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) return std::nullopt;
  }
  return is_utf8(decoded) ? std::optional(std::move(decoded)) : std::nullopt;
}

Error bad(std::string_view what) {
  return make_error(ErrorCode::invalid,
                    "the " + std::string(what) + " must be percent-encoded UTF-8 without control characters");
}

}  // namespace

Result<RequestTarget> parse_target(std::string_view target) {
  if (target.size() > path_size_max) {
    return make_error(ErrorCode::invalid, "the path has " + std::to_string(target.size()) + " bytes; at most " +
                                              std::to_string(path_size_max) + " are allowed");
  }
  if (!target.starts_with('/')) return make_error(ErrorCode::invalid, "the path must start with a slash");
  const std::size_t mark = target.find('?');
  RequestTarget result;
  auto path = decode(target.substr(0, mark), Plus::is_plus);
  if (!path) return bad("path");
  result.path = std::move(*path);
  std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = decode(pair.substr(0, equals), Plus::is_space);
    auto value = decode(equals == pair.size() ? std::string_view() : pair.substr(equals + 1), Plus::is_space);
    if (!name || !value) return bad("query");
    result.query.add(std::move(*name), std::move(*value));
  }
  return result;
}

std::string_view header_of(const Request& request, std::string_view wanted) {
  const auto found = std::ranges::find_if(request.headers, [wanted](const auto& header) {
    return lower_case(header.first) == wanted && !header.second.empty();
  });
  return found == request.headers.end() ? std::string_view() : found->second;
}

Result<void> refuse_names(const Request& request, std::string_view path) {
  if (request.names.empty()) return {};
  return make_error(ErrorCode::invalid, std::string(beginning(request.method, 64)) + " " + std::string(path) +
                                            " does not create resources by their names alone");
}

std::string author_of(const Request& request) {
  const std::string_view author = header_of(request, "x-acting-for");
  return author.empty() ? "host" : to_utf8(author.substr(0, name_size_max));
}

}  // namespace orlop
