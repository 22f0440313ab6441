// Python types of fields, and the TypedDicts of their objects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/family.h"

namespace orlop {

struct PythonMember {
  std::string name;
  std::string type;
  bool is_required = false;
};

struct PythonShape {
  std::string name;
  std::vector<PythonMember> members;
};

class PythonTypes {
 public:
  // Returns the type, such as "str", "Literal["A"] | None", "list[ContainerPort]". `owner`: the class that has the
  // field, for objects whose shape has no name.
  std::string type_of(const Field& field, std::string_view owner);
  // Returns the shapes of all fields so far, outer ones before inner ones, each once.
  const std::vector<PythonShape>& shapes() const { return shapes_; }

 private:
  std::string plain_type_of(const Field& field, std::string_view owner);
  std::string item_type_of(const Field& field, std::string_view owner);
  std::string object_type_of(const Field& field, std::string_view owner);
  std::string class_of(const Shape& shape, const std::string& name);
  std::vector<PythonMember> members_of(const Shape& shape, std::string_view name);

  std::vector<PythonShape> shapes_;
};

}  // namespace orlop
