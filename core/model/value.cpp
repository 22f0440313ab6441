#include "model/value.h"

#include <algorithm>

namespace orlop {

Value::Value(const Value& other) {
  switch (other.type_) {
    case Type::null: break;
    case Type::boolean: flag_ = other.flag_; break;
    case Type::integer: integer_ = other.integer_; break;
    case Type::number: number_ = other.number_; break;
    case Type::text: std::construct_at(&text_, other.text_); break;
    case Type::list: std::construct_at(&items_, other.items_); break;
    case Type::object: std::construct_at(&members_, other.members_); break;
  }
  type_ = other.type_;  // last: if memory runs out before, there is nothing to destroy
}

void Value::take_memory(Value&& other) noexcept {
  switch (other.type_) {
    case Type::null:
    case Type::boolean:
    case Type::integer:
    case Type::number: break;
    case Type::text: std::construct_at(&text_, std::move(other.text_)); break;
    case Type::list: std::construct_at(&items_, std::move(other.items_)); break;
    case Type::object: std::construct_at(&members_, std::move(other.members_)); break;
  }
  type_ = other.type_;
}

void Value::free_memory() noexcept {
  switch (type_) {
    case Type::null:
    case Type::boolean:
    case Type::integer:
    case Type::number: break;
    case Type::text: std::destroy_at(&text_); break;
    case Type::list: std::destroy_at(&items_); break;
    case Type::object: std::destroy_at(&members_); break;
  }
}

void Value::become(Type type) noexcept { *this = type == Type::list ? list() : object(); }

Value& Value::operator=(const Value& other) { return *this = Value(other); }

bool operator==(const Value& left, const Value& right) {
  if (left.type_ != right.type_) return false;
  switch (left.type_) {
    case Value::Type::null: return true;
    case Value::Type::boolean: return left.flag_ == right.flag_;
    case Value::Type::integer: return left.integer_ == right.integer_;
    case Value::Type::number: return left.number_ == right.number_;
    case Value::Type::text: return left.text_ == right.text_;
    case Value::Type::list: return left.items_ == right.items_;
    case Value::Type::object: return left.members_ == right.members_;
  }
  return false;
}

bool Value::as_boolean() const { return type_ == Type::boolean && flag_; }
std::int64_t Value::as_integer() const { return type_ == Type::integer ? integer_ : 0; }
double Value::as_number() const {
  if (type_ == Type::integer) return static_cast<double>(integer_);
  return type_ == Type::number ? number_ : 0;
}
const std::string& Value::no_text() {
  static const std::string nothing;
  return nothing;
}
const Value::List& Value::no_items() {
  static const List nothing;
  return nothing;
}
const Value::Object& Value::no_members() {
  static const Object nothing;
  return nothing;
}

const Value* Value::find(std::string_view name) const {
  if (type_ != Type::object) return nullptr;
  const std::uint8_t mark = Name::mark_of(name);
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const Member& member) {
    return member.name.mark() == mark && member.name == name;
  });
  return found == members_.end() ? nullptr : &found->value;
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
  return add(name, std::move(value));
}

void Value::erase(std::string_view name) {
  std::erase_if(members(), [name](const Member& member) { return member.name == name; });
}

void Value::append(Value value) { items().push_back(std::move(value)); }

std::string_view describe(Value::Type type) {
  switch (type) {
    case Value::Type::null: return "null";
    case Value::Type::boolean: return "a boolean";
    case Value::Type::integer: return "an integer";
    case Value::Type::number: return "a number";
    case Value::Type::text: return "a text";
    case Value::Type::list: return "a list";
    case Value::Type::object: return "an object";
  }
  return "a value";
}

}  // namespace orlop
