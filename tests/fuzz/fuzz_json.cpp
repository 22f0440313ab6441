// JSON text to values and back: a parsed text is reproduced.
#include <algorithm>

#include "fuzz/input.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

using namespace orlop;
using fuzz::require;

namespace {

// JSON has one kind of number: 5.0 is written as 5, and read as an integer.
bool is_same(const Value& left, const Value& right) {
  const auto is_number = [](const Value& value) {
    return value.type() == Value::Type::integer || value.type() == Value::Type::number;
  };
  if (is_number(left) && is_number(right)) return left.as_number() == right.as_number();
  if (left.is_list() && right.is_list()) return std::ranges::equal(left.items(), right.items(), is_same);
  if (!left.is_object() || !right.is_object()) return left == right;
  return std::ranges::equal(left.members(), right.members(), [](const Member& one, const Member& other) {
    return one.name == other.name && is_same(one.value, other.value);
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = parse_json(text);
  if (!value) {
    require(value.error().code == ErrorCode::invalid && !value.error().message.empty(), "a refusal says why", text);
    return 0;
  }
  const std::string written = to_json(*value);
  const auto again = parse_stored(written);
  require(again && is_same(*again, *value), "what is written reads as the same", written);
  require(to_json(*again) == written, "it is written the same again", written);
  if (!value->is_object()) return 0;
  for (const Member& member : value->members()) {
    const std::string_view raw = raw_member(written, member.name);
    if (raw.empty()) continue;  // not found: the name has escapes
    const auto found = parse_stored(raw);
    require(found && is_same(*found, member.value), "a member is found without the others", written);
  }
  return 0;
}
