// The schemas of OpenAPI 3.0 that follow from fields and shapes: each shape is one component, named as the interface calls it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "model/family.h"
#include "model/value.h"

namespace orlop {

class Schemas {
 public:
  // `brand` must outlive this.
  explicit Schemas(std::string_view brand) : brand_(brand) {}

  // The schema of one field. `owner`: the component that has it, for objects whose shape has no name.
  Value of(const Field& field, std::string_view owner);
  // The schema of an object of this shape: a reference to its component, which is added if it is new.
  Value of(const Shape& shape, std::string_view owner);
  // Adds "Container", "ContainerRequest", and "ContainerEditRequest" if an edit requires less than a create.
  void add(const Family& family);
  void add(std::string name, Value schema) { components_.insert_or_assign(std::move(name), std::move(schema)); }

  // All components, in the order of their names.
  Value components() const;

  static Value nullable(Value schema);  // the schema, or null
  static Value reference_to(std::string_view component);

 private:
  Value bare(const Field& field, std::string_view owner);
  Value object_of(const Shape& shape, std::string_view name);
  Value variants_of(const Shape& shape, std::string_view name);
  Value reference_of(const Shape& shape, std::string_view owner);
  Value used(Value schema);
  Value nullable_reference(const Value& reference);
  // "Container" for the first shape of that name, "Container2" for a second one that differs.
  std::string component_of(const Shape& shape, const std::string& name);

  std::string_view brand_;
  std::map<std::string, Value> components_;
  std::map<const Shape*, std::string> names_;
  std::set<std::string> used_;      // components that are referred to as they are
  std::set<std::string> nullable_;  // components that are also needed as such that may be null
};

// Whether every answer holds the field (it may be null there).
bool is_always_answered(const Field& field);
// Whether an edit may leave out what a create requires.
bool is_required_of_edit(const Field& field);

}  // namespace orlop
