// One given value against one field: its type, bounds and words.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "model/family.h"

namespace orlop {

// "config" and "password" are "config.password"; "" and "name" are "name".
std::string path_of(const std::string& path, std::string_view name);

class ValueChecker {
 public:
  // `around` may be null: references are then not looked up. `members` checks an object against a shape.
  using Members = std::function<Value(const Shape&, const Value&, const std::string& path)>;
  ValueChecker(ValidationContext* context, Violations& violations, Members members)
      : context_(context), violations_(violations), members_(std::move(members)) {}

  // The value to keep: the given one, with the defaults of objects in lists set. Violations are appended.
  Value check(const Field& field, const Value& given, const std::string& path);

 private:
  void check_text(const Field& field, const Value& given, const std::string& path);
  void check_number(const Field& field, const Value& given, const std::string& path);
  Value check_word(const Field& field, const Value& given, const std::string& path);
  void check_reference(const Field& field, const Value& given, const std::string& path);
  void check_form(const Field& field, const Value& given, const std::string& path);
  Value check_list(const Field& field, const Value& given, const std::string& path);
  bool expect(Value::Type expected, const Value& given, const std::string& path);
  void violate(const std::string& path, std::string reason) { violations_.push_back({path, std::move(reason)}); }

  ValidationContext* context_;
  Violations& violations_;
  Members members_;
};

}  // namespace orlop
