// Tables of fields, followed by a section for every shape that they use.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/family.h"

namespace orlop {

class FieldTables {
 public:
  // `names`: scope in which the values of the name field are unique.
  explicit FieldTables(NameScope names = NameScope::parent) : names_(names) {}

  // Returns the table of these fields.
  std::string table(std::span<const Field> fields);
  // Returns "### ServicePort" and its table for every shape in the tables so far, and for the shapes in these sections.
  std::string shape_sections();

 private:
  std::string type_of(const Field& field);
  std::string name_of(const Shape& shape, const Field& field);
  std::string section(const Shape& shape, const std::string& name);

  struct Met {
    const Shape* shape;
    std::string name;
  };
  NameScope names_;
  std::vector<Met> shapes_;
};

}  // namespace orlop
