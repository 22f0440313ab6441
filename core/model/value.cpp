#include "model/value.h"

namespace orlop {

Value::Value(List items) : held_(std::move(items)) {}
Value::Value(Object members) : held_(std::move(members)) {}
Value Value::object() { return Value(Object{}); }
Value Value::list() { return Value(List{}); }

namespace {

template <typename T, typename Held>
const T& held_as(const Held& held) {
  static const T nothing{};
  const T* found = std::get_if<T>(&held);
  return found == nullptr ? nothing : *found;
}

template <typename T, typename Held>
T& made_into(Held& held) {
  if (!std::holds_alternative<T>(held)) held = T{};
  return *std::get_if<T>(&held);
}

}  // namespace

bool Value::as_boolean() const { return held_as<bool>(held_); }
std::int64_t Value::as_integer() const { return held_as<std::int64_t>(held_); }
double Value::as_number() const {
  return type() == Type::integer ? static_cast<double>(as_integer()) : held_as<double>(held_);
}
const std::string& Value::as_text() const { return held_as<std::string>(held_); }
const Value::List& Value::items() const { return held_as<List>(held_); }
Value::List& Value::items() { return made_into<List>(held_); }
const Value::Object& Value::members() const { return held_as<Object>(held_); }
Value::Object& Value::members() { return made_into<Object>(held_); }

const Value* Value::find(std::string_view name) const {
  const auto* object = std::get_if<Object>(&held_);
  if (object == nullptr) return nullptr;
  for (const Member& member : *object) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

Value* Value::find(std::string_view name) { return const_cast<Value*>(std::as_const(*this).find(name)); }

const Value* Value::find_path(std::initializer_list<std::string_view> names) const {
  const Value* at = this;
  for (const std::string_view name : names) {
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string_view Value::text_or(std::string_view name, std::string_view fallback) const {
  const Value* member = find(name);
  return member != nullptr && member->is_text() ? std::string_view(member->as_text()) : fallback;
}

std::int64_t Value::integer_or(std::string_view name, std::int64_t fallback) const {
  const Value* member = find(name);
  return member != nullptr && member->type() == Type::integer ? member->as_integer() : fallback;
}

bool Value::boolean_or(std::string_view name, bool fallback) const {
  const Value* member = find(name);
  return member != nullptr && member->type() == Type::boolean ? member->as_boolean() : fallback;
}

bool Value::has(std::string_view name) const {
  const Value* member = find(name);
  return member != nullptr && !member->is_null();
}

Value& Value::set(std::string_view name, Value value) {
  if (Value* member = find(name)) {
    *member = std::move(value);
    return *member;
  }
  return members().emplace_back(Member{std::string(name), std::move(value)}).value;
}

void Value::erase(std::string_view name) {
  std::erase_if(members(), [name](const Member& member) { return member.name == name; });
}

void Value::append(Value value) {
  items().push_back(std::move(value));
}

std::string_view describe(Value::Type type) {
  switch (type) {
    case Value::Type::null:
      return "null";
    case Value::Type::boolean:
      return "a boolean";
    case Value::Type::integer:
      return "an integer";
    case Value::Type::number:
      return "a number";
    case Value::Type::text:
      return "a text";
    case Value::Type::list:
      return "a list";
    case Value::Type::object:
      return "an object";
  }
  return "a value";
}

}  // namespace orlop
