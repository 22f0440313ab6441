#include "families/shapes/clusters/cloud_credentials.h"

namespace orlop::shapes {

void check_members(const Value& object, std::string_view path, Names needed, Names foreign, std::string_view kind,
                   Violations& violations) {
  for (const std::string_view member : needed) {
    if (is_given(object, member)) continue;
    refuse(violations, member_path(path, member), "is required for " + std::string(kind));
  }
  for (const std::string_view member : foreign) {
    if (object.has(member)) refuse(violations, member_path(path, member), "must be left out for " + std::string(kind));
  }
}

}  // namespace orlop::shapes
