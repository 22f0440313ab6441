// Schemas of OpenAPI 3.0, made from fields and shapes. Each shape is one component with its name in the API. A shape
// that differs between answers and requests is two: "ServicePort" in answers, "ServicePortInput" in requests.
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

// Use of a schema.
enum class Use : std::uint8_t { answer, request };

class Schemas {
 public:
  // `brand` must outlive this.
  explicit Schemas(std::string_view brand) : brand_(brand), answered_(answered_shapes()) {}

  // Returns the schema of a field. `owner`: the component that has it, for objects whose shape has no name.
  Value of(const Field& field, std::string_view owner, Use use);
  // Returns a reference to the component of this shape, which is added if it is new.
  Value of(const Shape& shape, std::string_view owner, Use use);
  // Adds "Container", "ContainerRequest", and "ContainerEditRequest" if an edit requires less than a create.
  void add(const Family& family);
  void add(std::string name, Value schema) { components_.insert_or_assign(std::move(name), std::move(schema)); }

  std::string_view brand() const { return brand_; }

  // Returns all components, in the order of their names.
  Value components() const;

  static Value reference_to(std::string_view component);

 private:
  // Returns all shapes that answers contain.
  static std::set<const Shape*> answered_shapes();
  Value bare(const Field& field, std::string_view owner, Use use);
  Value object_of(const Shape& shape, std::string_view name, Use use);
  Value variants_of(const Shape& shape, std::string_view name, Use use);
  Value reference_of(const Shape& shape, std::string_view owner, Use use);
  Value used(Value schema);
  Value nullable_reference(const Value& reference);
  // Returns the component's name: "Container" for the first shape of that name, "Container2" for a second one that
  // differs.
  std::string component_of(const Shape& shape, const std::string& name, Use use);

  std::string_view brand_;
  std::map<std::string, Value> components_;
  std::set<const Shape*> answered_;
  std::map<std::pair<const Shape*, Use>, std::string> names_;
  std::set<std::string> used_;      // components with a non-nullable reference
  std::set<std::string> nullable_;  // components that also need a nullable copy
};

// Returns "Container" for a reference to that component; "" for any other schema.
std::string component_name(const Value& schema);

// Reports whether every answer has the field, which may be null.
bool is_always_answered(const Field& field);
// Reports whether the field is part of the schema for this use. Schemas of requests include read-only fields, which are
// ignored: a client can send an answer back.
bool stands_in(const Field& field, Use use);
// Reports whether an edit requires the field. Preserved fields may be left out.
bool is_required_of_edit(const Field& field);

}  // namespace orlop
