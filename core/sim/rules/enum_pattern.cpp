#include <algorithm>

#include "catalogs/nearest.h"
#include "deploy/driver/scripted_driver.h"
#include "model/registry.h"
#include "sim/invalid_member.h"
#include "sim/rules/rule.h"

namespace orlop {

Result<void> check_enum_pattern(std::string_view pattern, std::string_view family, std::string_view member,
                                const std::string& path) {
  const Family* const known = find_family(family);
  if (known == nullptr) return {};
  const auto field = std::ranges::find(known->fields, member, &Field::name);
  if (field == known->fields.end() || field->kind != FieldKind::enumeration) return {};
  if (std::ranges::any_of(field->enum_values, [&](std::string_view value) { return matches(pattern, value); }))
    return {};
  return invalid_member(path, "must be a value of " + std::string(member) + " of the family " + std::string(family) +
                                  ", or a pattern that matches one, not \"" + std::string(pattern) + "\"" +
                                  nearest_hint(pattern, field->enum_values));
}

}  // namespace orlop
