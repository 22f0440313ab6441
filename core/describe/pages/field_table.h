// Fields as a table, and after it a section for every shape that they lead to.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/family.h"

namespace orlop {

class FieldTables {
 public:
  // `names`: where the named field of the tables is the only one of its kind.
  explicit FieldTables(NameScope names = NameScope::parent) : names_(names) {}

  // The table of these fields.
  std::string table(std::span<const Field> fields);
  // "### ServicePort" and its table, for every shape that a table so far has named, and those that these name.
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
