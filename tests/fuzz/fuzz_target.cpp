// Short texts from outside: request targets, addresses of webhooks, ids, instants, base64.
#include <cctype>

#include "base/id.h"
#include "base/instant.h"
#include "base/text/base64.h"
#include "base/text/target.h"
#include "base/text/utf8.h"
#include "fuzz/input.h"
#include "rest/request.h"
#include "rest/route.h"

using namespace orlop;
using fuzz::require;

namespace {

// Escapes a text for a target: every byte but the plainest.
std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '/' || (byte < 0x80 && std::isalnum(byte))) out.push_back(letter);
    else out.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  }
  return out;
}

void check_target(std::string_view text) {
  const auto target = parse_target(text);
  if (!target) return require(target.error().code == ErrorCode::invalid, "a target is refused as invalid", text);
  require(target->path.starts_with('/') && is_utf8(target->path), "a path begins with a slash and is UTF-8", text);
  for (const char letter : target->path)
    require(static_cast<unsigned char>(letter) >= 0x20, "a path has no control characters", text);
  const auto again = parse_target(escaped(target->path));
  require(again && again->path == target->path, "a path that is escaped anew is the same", text);
  for (const Method method : {Method::get, Method::post}) (void)match(method, served_path(target->path));
  (void)allowed_at(target->path);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_target(text);
  if (const auto at = parse_instant(text)) require(parse_instant(to_text(*at)) == at, "an instant reads back", text);
  if (const auto id = parse_id(text)) require(parse_id(to_text(*id)) == id, "an id reads back", text);
  if (const auto bytes = parse_base64(text)) {
    const std::string written = to_base64({reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
    require(parse_base64(written) == bytes, "base64 reads back", text);
  }
  (void)is_allow_entry(text);
  (void)target_refusal(text, {});
  return 0;
}
