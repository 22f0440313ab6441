// Ids and instants as text, and the library's version.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/instant.h"
#include "base/text/utf8.h"
#include "guard.h"
#include "ports/callbacks.h"

using namespace orlop;
using namespace orlop::c;

namespace {

static_assert(std::string_view(ORLOP_VERSION) == ORLOP_PROJECT_VERSION,
              "the version of orlop.h is not the one of CMakeLists.txt");

constexpr std::int64_t first_instant = -62'167'219'200'000;  // 0000-01-01T00:00:00.000Z
constexpr std::int64_t last_instant = 253'402'300'799'999;   // 9999-12-31T23:59:59.999Z

// Quotes the beginning of a text for an error.
std::string shown(orlop_text text) { return '"' + std::string(beginning(view_of(text), 64)) + '"'; }

void put(const std::string& text, char* out, std::size_t size) {
  if (out == nullptr) return;
  std::memcpy(out, text.c_str(), std::min(size, text.size() + 1));
}

}  // namespace

extern "C" {

const char* orlop_version(void) { return ORLOP_PROJECT_VERSION; }

void orlop_id_format(orlop_id id, char out[37]) {
  guard_or(0, [&] { return put(to_text(id_of(id)), out, 37), 1; });
}

orlop_error* orlop_id_parse(orlop_id* id, orlop_text text) {
  return guard([&]() -> Result<void> {
    if (id == nullptr) return misuse("the out parameter for the id must not be NULL");
    ORLOP_CHECK(check_text(text, "text"));
    const auto parsed = parse_id(view_of(text));
    if (!parsed) return make_error(ErrorCode::invalid, "an id is a UUID of 36 characters, not " + shown(text));
    *id = id_of(*parsed);
    return {};
  });
}

void orlop_time_format(int64_t instant_ms, char out[25]) {
  guard_or(0, [&] { return put(to_text(Instant{std::clamp(instant_ms, first_instant, last_instant)}), out, 25), 1; });
}

orlop_error* orlop_time_parse(int64_t* instant_ms, orlop_text text) {
  return guard([&]() -> Result<void> {
    if (instant_ms == nullptr) return misuse("the out parameter for the instant must not be NULL");
    ORLOP_CHECK(check_text(text, "text"));
    const auto parsed = parse_instant(view_of(text));
    if (!parsed) return make_error(ErrorCode::invalid, "an instant is like 2026-01-01T00:00:00Z, not " + shown(text));
    *instant_ms = parsed->milliseconds;
    return {};
  });
}

}  // extern "C"
