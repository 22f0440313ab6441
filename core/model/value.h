// JSON-like values without JSON text: request bodies before validation, and data for rules. Members keep their order of
// insertion. Not for large data: look-ups are linear.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orlop {

class Value;
struct Member;

// Name of a member. A name that outlives every value, as those of fields do, is referenced; others are copied, short
// ones into the object itself.
class Name {
 public:
  Name() noexcept = default;
  explicit Name(std::string_view text) {
    if (text.size() <= near_max) {
      text.copy(held_.near, text.size());
      held_.form = static_cast<std::uint8_t>(text.size());
    } else {
      char* const copy = new char[text.size()];
      text.copy(copy, text.size());
      refer({copy, text.size()}, owned);
    }
    held_.mark = mark_of(text);
  }
  // `text` must outlive every value.
  static Name lasting(std::string_view text) noexcept {
    Name name;
    name.refer(text, borrowed);
    name.held_.mark = mark_of(text);
    return name;
  }
  Name(const Name& other) : Name(other.held_.form == owned ? Name(other.view()) : Name(other.held_)) {}
  Name(Name&& other) noexcept : held_(std::exchange(other.held_, Held())) {}
  Name& operator=(const Name& other) { return *this = Name(other); }
  Name& operator=(Name&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Name() {
    if (held_.form == owned) delete[] view().data();
  }

  std::string_view view() const noexcept {
    if (held_.form <= near_max) return {held_.near, held_.form};
    std::string_view far;
    std::memcpy(&far, held_.near, sizeof far);
    return far;
  }
  operator std::string_view() const noexcept { return view(); }
  bool is_lasting() const noexcept { return held_.form == borrowed; }

  // Returns a one-byte hash. A search compares most names by it alone: names with different marks differ.
  static std::uint8_t mark_of(std::string_view text) noexcept {
    if (text.empty()) return 0;
    return static_cast<std::uint8_t>(text.size() * 16 + static_cast<unsigned char>(text.front()) +
                                     static_cast<unsigned char>(text.back()) * 5U);
  }
  std::uint8_t mark() const noexcept { return held_.mark; }

  friend bool operator==(const Name& left, std::string_view right) noexcept {
    const std::string_view text = left.view();
    return text.size() == right.size() &&
           (text.data() == right.data() || std::memcmp(text.data(), right.data(), right.size()) == 0);
  }
  friend bool operator==(const Name& left, const Name& right) noexcept { return left == right.view(); }

 private:
  static constexpr std::size_t near_max = 22;
  static constexpr std::uint8_t borrowed = 254;
  static constexpr std::uint8_t owned = 255;

  struct Held {
    alignas(std::string_view) char near[near_max] = {};
    std::uint8_t mark = 0;
    std::uint8_t form = 0;  // size of a text stored in `near`; else `borrowed` or `owned`
  };

  explicit Name(const Held& held) noexcept : held_(held) {}
  void refer(std::string_view far, std::uint8_t form) noexcept {
    std::memcpy(held_.near, &far, sizeof far);
    held_.form = form;
  }

  Held held_;
};

class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<Member>;
  // Types from `text` on own memory.
  enum class Type : std::uint8_t { null, boolean, integer, number, text, list, object };

  Value() noexcept;
  explicit Value(bool flag);
  explicit Value(std::int64_t integer);
  explicit Value(double number);
  explicit Value(std::string text);
  explicit Value(std::string_view text);
  explicit Value(const char* text);
  explicit Value(List items);
  explicit Value(Object members);
  Value(const Value& other);
  Value(Value&& other) noexcept;  // leaves a value of the same type behind
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  static Value object();
  static Value list();

  Type type() const { return type_; }
  bool is_null() const { return type() == Type::null; }
  bool is_text() const { return type() == Type::text; }
  bool is_object() const { return type() == Type::object; }
  bool is_list() const { return type() == Type::list; }

  // Accessors return an empty value if the type differs, and mutable ones change the type: a store may contain text
  // that this library did not write.
  bool as_boolean() const;
  std::int64_t as_integer() const;
  double as_number() const;  // also of an integer
  const std::string& as_text() const;
  const List& items() const;
  List& items();
  const Object& members() const;
  Object& members();

  // Returns the member, or null if it is absent or this is not an object.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  // Follows a path of names; returns null if a member is absent.
  const Value* find_path(std::initializer_list<std::string_view> names) const;
  // Returns the member's text, integer or flag, or the fallback if it is absent, null or of another type.
  std::string_view text_or(std::string_view name, std::string_view fallback) const;
  std::int64_t integer_or(std::string_view name, std::int64_t fallback) const;
  bool boolean_or(std::string_view name, bool fallback) const;
  // True if the member is present and not null.
  bool has(std::string_view name) const;

  // Sets or replaces a member.
  Value& set(std::string_view name, Value value);
  // Adds a member that must not exist yet: set() without the search. Without a value it is null.
  Value& add(Name&& name, Value&& value);
  Value& add(std::string_view name, Value value) { return add(Name(name), std::move(value)); }
  Value& add(Name&& name);
  void erase(std::string_view name);
  void append(Value value);

  friend bool operator==(const Value& left, const Value& right);

 private:
  static const std::string& no_text();
  static const List& no_items();
  static const Object& no_members();
  void take(Value&& other) noexcept;  // requires an empty value
  void clear() noexcept;
  void take_memory(Value&& other) noexcept;
  void free_memory() noexcept;
  void become(Type type) noexcept;  // empty list or object

  Type type_ = Type::null;
  union {
    bool flag_;
    std::int64_t integer_;
    double number_;
    std::string text_;
    List items_;
    Object members_;
  };
};

struct Member {
  Member() = default;
  Member(Name&& member_name, Value&& member_value) noexcept
      : name(std::move(member_name)), value(std::move(member_value)) {}
  explicit Member(Name&& member_name) noexcept : name(std::move(member_name)) {}
  // For lists of members: {"name", value}.
  Member(const char* member_name, Value member_value)
      : name(std::string_view(member_name)), value(std::move(member_value)) {}

  Name name;
  Value value;
  friend bool operator==(const Member&, const Member&) = default;
};

// After Member, because construction and destruction of values need its definition.
inline Value::Value() noexcept : integer_(0) {}
inline Value::Value(bool flag) : type_(Type::boolean), flag_(flag) {}
inline Value::Value(std::int64_t integer) : type_(Type::integer), integer_(integer) {}
inline Value::Value(double number) : type_(Type::number), number_(number) {}
inline Value::Value(std::string text) : type_(Type::text), text_(std::move(text)) {}
inline Value::Value(std::string_view text) : type_(Type::text), text_(text) {}
inline Value::Value(const char* text) : type_(Type::text), text_(text) {}
inline Value::Value(List items) : type_(Type::list), items_(std::move(items)) {}
inline Value::Value(Object members) : type_(Type::object), members_(std::move(members)) {}
inline Value Value::object() { return Value(Object()); }
inline Value Value::list() { return Value(List()); }

inline Value::Value(Value&& other) noexcept { take(std::move(other)); }
inline Value::~Value() { clear(); }
inline Value& Value::operator=(Value&& other) noexcept {
  if (this == &other) return *this;
  clear();
  take(std::move(other));
  return *this;
}

inline void Value::take(Value&& other) noexcept {
  if (other.type_ >= Type::text) return take_memory(std::move(other));
  std::memcpy(&integer_, &other.integer_, sizeof integer_);  // the largest of the trivial members
  type_ = other.type_;
}

inline void Value::clear() noexcept {
  if (type_ >= Type::text) free_memory();
  type_ = Type::null;
}

inline const std::string& Value::as_text() const { return type_ == Type::text ? text_ : no_text(); }
inline const Value::List& Value::items() const { return type_ == Type::list ? items_ : no_items(); }
inline Value::List& Value::items() {
  if (type_ != Type::list) become(Type::list);
  return items_;
}
inline const Value::Object& Value::members() const { return type_ == Type::object ? members_ : no_members(); }
inline Value::Object& Value::members() {
  if (type_ != Type::object) become(Type::object);
  return members_;
}

inline Value& Value::add(Name&& name, Value&& value) {
  assert(find(name) == nullptr);
  return members().emplace_back(std::move(name), std::move(value)).value;
}
inline Value& Value::add(Name&& name) {
  assert(find(name) == nullptr);
  return members().emplace_back(std::move(name)).value;
}

// Returns "null", "a boolean", "an integer" …, for messages.
std::string_view describe(Value::Type type);

}  // namespace orlop
