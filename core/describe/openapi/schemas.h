// The schemas of OpenAPI 3.0 that follow from fields and shapes: each shape is one component, named as the interface
// calls it. A shape of which answers hold more than requests must give is two: "ServicePort" in answers,
// "ServicePortInput" in requests.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "model/family.h"
#include "model/value.h"

namespace orlop {

// Where a schema stands.
enum class Use : std::uint8_t { answer, request };

class Schemas {
 public:
  // `brand` must outlive this.
  explicit Schemas(std::string_view brand) : brand_(brand), answered_(answered_shapes()) {}

  // The schema of one field. `owner`: the component that has it, for objects whose shape has no name.
  Value of(const Field& field, std::string_view owner, Use use);
  // The schema of an object of this shape: a reference to its component, which is added if it is new.
  Value of(const Shape& shape, std::string_view owner, Use use);
  // Adds "Container", "ContainerRequest", and "ContainerEditRequest" if an edit requires less than a create.
  void add(const Family& family);
  void add(std::string name, Value schema) { components_.insert_or_assign(std::move(name), std::move(schema)); }

  std::string_view brand() const { return brand_; }

  // All components, in the order of their names.
  Value components() const;

  static Value reference_to(std::string_view component);

 private:
  // All shapes that stand in an answer.
  static std::set<const Shape*> answered_shapes();
  Value bare(const Field& field, std::string_view owner, Use use);
  Value object_of(const Shape& shape, std::string_view name, Use use);
  Value variants_of(const Shape& shape, std::string_view name, Use use);
  Value reference_of(const Shape& shape, std::string_view owner, Use use);
  Value used(Value schema);
  Value nullable_reference(const Value& reference);
  // "Container" for the first shape of that name, "Container2" for a second one that differs.
  std::string component_of(const Shape& shape, const std::string& name, Use use);

  std::string_view brand_;
  std::map<std::string, Value> components_;
  std::set<const Shape*> answered_;
  std::map<std::pair<const Shape*, Use>, std::string> names_;
  std::set<std::string> used_;      // components that are referred to as they are
  std::set<std::string> nullable_;  // components that are also needed as such that may be null
};

// "Container" of a reference to that component; "" of any other schema.
std::string component_name(const Value& schema);

// Whether every answer holds the field (it may be null there).
bool is_always_answered(const Field& field);
// Whether an object shows the field there. What is read-only is taken of a request and ignored, so that an answer can
// be sent back.
bool stands_in(const Field& field, Use use);
// Whether an edit may leave out what a create requires.
bool is_required_of_edit(const Field& field);

}  // namespace orlop
