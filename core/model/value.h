// A JSON-shaped value without JSON: what a request body becomes before it is validated, and what rules look at.
// Members keep the order they were set in. Not for large data: look-ups are linear.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace orlop {

class Value;
struct Member;

class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<Member>;
  enum class Type : std::uint8_t { null, boolean, integer, number, text, list, object };

  Value();
  explicit Value(bool flag);
  explicit Value(std::int64_t integer);
  explicit Value(double number);
  explicit Value(std::string text);
  explicit Value(std::string_view text);
  explicit Value(const char* text);
  explicit Value(List items);
  explicit Value(Object members);
  static Value object();
  static Value list();

  Type type() const { return static_cast<Type>(held_.index()); }
  bool is_null() const { return type() == Type::null; }
  bool is_text() const { return type() == Type::text; }
  bool is_object() const { return type() == Type::object; }
  bool is_list() const { return type() == Type::list; }

  // What is not held is answered as empty, and what is to be changed becomes it: a store may hold what nobody here wrote.
  bool as_boolean() const;
  std::int64_t as_integer() const;
  double as_number() const;  // of an integer too
  const std::string& as_text() const;
  const List& items() const;
  List& items();
  const Object& members() const;
  Object& members();

  // The member, or nullptr if it is absent or this is no object.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  // The member found by a path of names; nullptr as soon as one is absent.
  const Value* find_path(std::initializer_list<std::string_view> names) const;
  // The member's text, integer or flag; the fallback if it is absent, null or of another type.
  std::string_view text_or(std::string_view name, std::string_view fallback) const;
  std::int64_t integer_or(std::string_view name, std::int64_t fallback) const;
  bool boolean_or(std::string_view name, bool fallback) const;
  // True if the member is there and not null.
  bool has(std::string_view name) const;

  // Sets or replaces a member.
  Value& set(std::string_view name, Value value);
  void erase(std::string_view name);
  void append(Value value);

  friend bool operator==(const Value&, const Value&) = default;

 private:
  // Null, and not trivially so: where every alternative counts as one that a variant never loses, g++ 12 destroys what was never
  // made when a copy runs out of memory.
  struct Null {
    Null() = default;
    Null(const Null&) noexcept {}
    Null& operator=(const Null&) noexcept { return *this; }
    friend bool operator==(const Null&, const Null&) { return true; }
  };
  std::variant<Null, bool, std::int64_t, double, std::string, List, Object> held_;
};

struct Member {
  std::string name;
  Value value;
  friend bool operator==(const Member&, const Member&) = default;
};

// After Member: a constructor must know how to destroy every alternative, and the members of an object are one of them.
inline Value::Value() = default;
inline Value::Value(bool flag) : held_(flag) {}
inline Value::Value(std::int64_t integer) : held_(integer) {}
inline Value::Value(double number) : held_(number) {}
inline Value::Value(std::string text) : held_(std::move(text)) {}
inline Value::Value(std::string_view text) : held_(std::string(text)) {}
inline Value::Value(const char* text) : held_(std::string(text)) {}

// "null", "a boolean", "an integer" …: for messages.
std::string_view describe(Value::Type type);

}  // namespace orlop
