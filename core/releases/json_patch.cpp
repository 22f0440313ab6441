#include "releases/json_patch.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace orlop {
namespace {

bool is_same(const Value& left, const Value& right);

bool are_same_members(const Value& left, const Value& right) {
  return left.members().size() == right.members().size() &&
         std::ranges::all_of(left.members(), [&](const Member& member) {
           const Value* const other = right.find(member.name);
           return other != nullptr && is_same(member.value, *other);
         });
}

bool is_same(const Value& left, const Value& right) {
  if (left.type() != right.type()) return false;
  if (left.is_object()) return are_same_members(left, right);
  if (left.is_list()) return std::ranges::equal(left.items(), right.items(), is_same);
  return left == right;
}

class Comparison {
 public:
  void compare(const std::string& path, const Value& before, const Value& after) {
    if (before.is_object() && after.is_object()) return compare_members(path, before, after);
    if (before.is_list() && after.is_list()) return compare_items(path, before.items(), after.items());
    if (!is_same(before, after)) add("replace", path, &after);
  }
  Value take() && { return std::move(patch_); }

 private:
  void add(const char* op, const std::string& path, const Value* value) {
    Value operation(Value::Object{{"op", Value(op)}, {"path", Value(path)}});
    if (value != nullptr) operation.set("value", *value);
    patch_.append(std::move(operation));
  }

  void compare_members(const std::string& path, const Value& before, const Value& after) {
    for (const Member& member : before.members()) {
      const std::string below = pointer_below(path, member.name);
      const Value* const now = after.find(member.name);
      if (now != nullptr) compare(below, member.value, *now);
      else add("remove", below, nullptr);
    }
    for (const Member& member : after.members()) {
      if (before.find(member.name) == nullptr) add("add", pointer_below(path, member.name), &member.value);
    }
  }

  void compare_items(const std::string& path, const Value::List& before, const Value::List& after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t begin = 0;
    while (begin < shorter && is_same(before[begin], after[begin])) ++begin;
    std::size_t kept = 0;  // at the end
    while (begin + kept < shorter && is_same(before[before.size() - kept - 1], after[after.size() - kept - 1])) ++kept;
    const std::size_t both_end = shorter - kept;
    for (std::size_t at = begin; at < both_end; ++at)
      compare(pointer_below(path, std::to_string(at)), before[at], after[at]);
    // From the last one, so that the positions before it do not change.
    for (std::size_t at = before.size() - kept; at > both_end; --at)
      add("remove", pointer_below(path, std::to_string(at - 1)), nullptr);
    for (std::size_t at = both_end; at + kept < after.size(); ++at)
      add("add", pointer_below(path, std::to_string(at)), &after[at]);
  }

  Value patch_ = Value::list();
};

Error unfit(const Value& operation, const std::string& reason) {
  return make_error(ErrorCode::storage_corrupt, "the operation " + std::string(operation.text_or("op", "?")) + " of " +
                                                    std::string(operation.text_or("path", "?")) +
                                                    " cannot be applied: " + reason);
}

// Returns the tokens of a pointer; nullopt if it is malformed.
std::optional<std::vector<std::string>> tokens_of(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return std::nullopt;
  for (std::size_t at = 0; at < pointer.size(); ++at) {
    if (pointer[at] == '/') {
      tokens.emplace_back();
    } else if (pointer[at] != '~') {
      tokens.back().push_back(pointer[at]);
    } else {
      const char escaped = at + 1 < pointer.size() ? pointer[++at] : ' ';
      if (escaped != '0' && escaped != '1') return std::nullopt;
      tokens.back().push_back(escaped == '0' ? '~' : '/');
    }
  }
  return tokens;
}

// Returns the position that the token names, if it is below `end`.
std::optional<std::size_t> position_of(const std::string& token, std::size_t end) {
  std::size_t at = 0;
  const auto [rest, error] = std::from_chars(token.data(), token.data() + token.size(), at);
  const bool is_number = error == std::errc() && rest == token.data() + token.size();
  return is_number && at < end ? std::optional(at) : std::nullopt;
}

// Returns the member or item; null if there is none. `Any`: Value or const Value.
template <typename Any>
Any* child_of(Any& value, const std::string& token) {
  if (value.is_object()) return value.find(token);
  if (!value.is_list()) return nullptr;
  const auto at = position_of(token, value.items().size());
  return at ? &value.items()[*at] : nullptr;
}

// Returns whether the operation fits.
bool change_child(Value& parent, const std::string& token, std::string_view op, const Value& value) {
  if (op == "replace") {
    Value* const child = child_of(parent, token);
    if (child != nullptr) *child = value;
    return child != nullptr;
  }
  const bool is_add = op == "add";
  if (!is_add && op != "remove") return false;
  if (parent.is_object()) {
    if (is_add) parent.set(token, value);
    else if (parent.find(token) == nullptr) return false;
    else parent.erase(token);
    return true;
  }
  if (!parent.is_list()) return false;
  Value::List& items = parent.items();
  const auto at = position_of(token, items.size() + (is_add ? 1 : 0));
  if (!at) return false;
  const auto place = items.begin() + static_cast<std::ptrdiff_t>(*at);
  if (is_add) items.insert(place, value);
  else items.erase(place);
  return true;
}

Result<void> apply(Value& root, const Value& operation) {
  const auto tokens = tokens_of(operation.text_or("path", "?"));
  if (!tokens) return unfit(operation, "its path is not a JSON Pointer");
  const std::string_view op = operation.text_or("op", "");
  const Value* const given = operation.find("value");
  if (given == nullptr && op != "remove") return unfit(operation, "it has no value");
  const Value nothing;
  const Value& value = given == nullptr ? nothing : *given;
  if (tokens->empty()) {
    if (op != "replace") return unfit(operation, "the whole can only be replaced");
    root = Value(value);
    return {};
  }
  Value* parent = &root;
  for (std::size_t at = 0; at + 1 < tokens->size() && parent != nullptr; ++at)
    parent = child_of(*parent, (*tokens)[at]);
  const bool fits = parent != nullptr && change_child(*parent, tokens->back(), op, value);
  return fits ? Result<void>() : unfit(operation, "there is no such member or item");
}

}  // namespace

const Value* value_at(const Value& value, std::string_view pointer) {
  const auto tokens = tokens_of(pointer);
  const Value* at = tokens ? &value : nullptr;
  for (std::size_t token = 0; at != nullptr && token < tokens->size(); ++token) at = child_of(*at, (*tokens)[token]);
  return at;
}

std::string pointer_below(std::string_view pointer, std::string_view token) {
  std::string below(pointer);
  below.push_back('/');
  for (const char letter : token) {
    if (letter == '~') below.append("~0");
    else if (letter == '/') below.append("~1");
    else below.push_back(letter);
  }
  return below;
}

Value patch_between(const Value& before, const Value& after) {
  Comparison comparison;
  comparison.compare("", before, after);
  return std::move(comparison).take();
}

Result<void> apply_patch(Value& value, const Value& patch) {
  for (const Value& operation : patch.items()) ORLOP_CHECK(apply(value, operation));
  return {};
}

}  // namespace orlop
