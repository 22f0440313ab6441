#include "releases/configuration_difference.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/text/digest.h"
#include "releases/configuration_digest.h"
#include "releases/json_patch.h"

namespace orlop {
namespace {

constexpr std::string_view secret_shown = "***";
constexpr char secret_mark = '\x01';  // before the digest of a secret, in its stead

bool is_mark(const Value& value) {
  return value.is_text() && value.as_text().size() == 65 && value.as_text().front() == secret_mark;
}

// Replaces each secret by its digest, so that only the fact of a change is left.
Value with_marks(ReleasedConfiguration given) {
  for (const std::string& pointer : given.secrets) {
    const Value* const secret = value_at(given.configuration, pointer);
    if (secret == nullptr) continue;
    Value mark(secret_mark + to_hex(sha256(secret->as_text())));
    const Value patch(Value::List{
        Value(Value::Object{{"op", Value("replace")}, {"path", Value(pointer)}, {"value", std::move(mark)}})});
    (void)apply_patch(given.configuration, patch);
  }
  return std::move(given.configuration);
}

// Returns the name of a member that differs in all items of the list; "" if there is none.
std::string_view key_of(const Value::List& items) {
  for (const std::string_view name : {"key", "name", "id"}) {
    std::unordered_set<std::string_view> seen;
    const bool is_key = !items.empty() && std::ranges::all_of(items, [&](const Value& item) {
      const std::string_view key = item.text_or(name, "");
      return !key.empty() && key.front() != secret_mark && seen.insert(key).second;
    });
    if (is_key) return name;
  }
  return {};
}

// Turns lists whose items have keys into objects by key.
Value keyed(const Value& value) {
  if (value.is_object()) {
    Value made = Value::object();
    for (const Member& member : value.members()) made.add(Name(member.name), keyed(member.value));
    return made;
  }
  if (!value.is_list()) return value;
  const std::string_view key = key_of(value.items());
  Value made = key.empty() ? Value::list() : Value::object();
  for (const Value& item : value.items()) {
    if (key.empty()) made.append(keyed(item));
    else made.set(item.text_or(key, ""), keyed(item));
  }
  return made;
}

// Returns whether the value holds a secret, and shows it as "***".
bool hide_secrets(Value& value) {
  if (is_mark(value)) {
    value = Value(secret_shown);
    return true;
  }
  bool has_secret = false;
  if (value.is_object()) {
    for (Member& member : value.members()) has_secret = hide_secrets(member.value) || has_secret;
  } else if (value.is_list()) {
    for (Value& item : value.items()) has_secret = hide_secrets(item) || has_secret;
  }
  return has_secret;
}

}  // namespace

std::vector<Difference> differences_between(ReleasedConfiguration before, ReleasedConfiguration after) {
  Value old = keyed(without_own_addresses(with_marks(std::move(before))));
  const Value now = keyed(without_own_addresses(with_marks(std::move(after))));
  std::vector<Difference> differences;
  const Value patch = patch_between(old, now);
  for (const Value& operation : patch.items()) {
    Difference difference{.path = std::string(operation.text_or("path", "")), .before = {}, .after = {}};
    const std::string_view op = operation.text_or("op", "");
    const Value* const was = op == "add" ? nullptr : value_at(old, difference.path);
    if (was != nullptr) difference.before = *was;
    if (const Value* const value = operation.find("value")) difference.after = *value;
    const bool hid_before = difference.before && hide_secrets(*difference.before);
    const bool hid_after = difference.after && hide_secrets(*difference.after);
    difference.is_secret = hid_before || hid_after;
    (void)apply_patch(old, Value(Value::List{operation}));  // positions in a list follow from the operations before
    differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace orlop
