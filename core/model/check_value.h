// One given value against one field: its type, bounds and words.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/family.h"

namespace orlop {

// Where a value lies in a body: put together only for a violation.
struct Path {
  const Path* above = nullptr;  // nullptr: the body itself, or what `name` says
  std::string_view name = {};
  std::optional<std::size_t> item = {};  // of a list; `name` is then ""

  Path in(std::string_view member) const { return {this, member, {}}; }
  Path at(std::size_t place) const { return {this, {}, place}; }
  bool is_body() const { return above == nullptr && name.empty(); }
  // "config.password", "ports[2].name"; "" for the body.
  std::string text() const;
};

// The text as given, in quotes, but not at any length.
std::string quoted_text(std::string_view text);

class ValueChecker {
 public:
  // `around` may be null: references are then not looked up. `members` checks an object against a shape.
  using Members = std::function<Value(const Shape&, const Value&, const Path& path)>;
  // `brand`: that of the engine; it must outlive this.
  ValueChecker(ValidationContext* context, std::string_view brand, Violations& violations, Members members)
      : context_(context), brand_(brand), violations_(violations), members_(std::move(members)) {}

  // The value to keep: the given one, with the defaults of objects in lists set. Violations are appended.
  Value check(const Field& field, const Value& given, const Path& path);

 private:
  void check_text(const Field& field, const Value& given, const Path& path);
  void check_number(const Field& field, const Value& given, const Path& path);
  Value check_word(const Field& field, const Value& given, const Path& path);
  void check_reference(const Field& field, const Value& given, const Path& path);
  void check_form(const Field& field, const Value& given, const Path& path);
  Value check_list(const Field& field, const Value& given, const Path& path);
  void check_unique(const Value& list, const Path& path);
  bool expect(Value::Type expected, const Value& given, const Path& path);
  void violate(const Path& path, std::string reason) { violations_.push_back({path.text(), std::move(reason)}); }

  ValidationContext* context_;
  std::string_view brand_;
  Violations& violations_;
  Members members_;
};

}  // namespace orlop
