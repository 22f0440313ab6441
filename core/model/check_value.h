// Checks a value against a field: type, bounds and enumeration.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/family.h"

namespace orlop {

// Path of a value in a body. Its text is composed only for a violation.
struct Path {
  const Path* above = nullptr;  // null for the body itself and for a path that is only `name`
  std::string_view name = {};
  std::optional<std::size_t> item = {};  // index in a list; `name` is then empty

  Path in(std::string_view member) const { return {this, member, {}}; }
  Path at(std::size_t place) const { return {this, {}, place}; }
  bool is_body() const { return above == nullptr && name.empty(); }
  // Returns "config.password" or "ports[2].name"; empty for the body.
  std::string text() const;
};

// Returns the text in quotes, cut at a maximum length.
std::string quoted_text(std::string_view text);

class ValueChecker {
 public:
  // `context` may be null: references are then not resolved. `members` checks an object against a shape.
  using Members = std::function<Value(const Shape&, const Value&, const Path& path)>;
  // `brand`: brand of the engine; it must outlive the checker.
  ValueChecker(ValidationContext* context, std::string_view brand, Violations& violations, Members members)
      : context_(context), brand_(brand), violations_(violations), members_(std::move(members)) {}

  // Returns the value to store, with the defaults of objects in lists. Appends violations.
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
