#include "ops/name.h"

#include <algorithm>

#include "model/form.h"
#include "model/registry.h"

namespace orlop {

const Field* name_field(const Family& family) {
  const auto found = std::ranges::find(family.fields, true, &Field::is_unique_name);
  return found == family.fields.end() ? nullptr : &*found;
}

std::string name_key(const Family& family, const Id& parent, const Id& organization, std::string_view name) {
  Id scope;
  switch (family.name_scope) {
    case NameScope::none:
      return "";
    case NameScope::everywhere:
      break;
    case NameScope::organization:
      scope = organization;
      break;
    case NameScope::parent:
      scope = parent;
      break;
  }
  if (name_field(family) == nullptr) return "";
  const FamilyNumber space = family.name_space == 0 ? family.number : family.name_space;
  std::string key;
  key.reserve(scope.bytes.size() + sizeof space + name.size());
  key.append(scope.bytes.begin(), scope.bytes.end());
  key.push_back(static_cast<char>(space >> 8));
  key.push_back(static_cast<char>(space & 0xFF));
  return key.append(lower_case(name));
}

std::string words_for(const Family& family) {
  std::string noun(family.name);
  std::ranges::replace(noun, '_', ' ');
  return noun;
}

Result<void> require_free_name(Unit& unit, const Family& family, const std::string& key, std::string_view name, const Id& self) {
  if (key.empty()) return {};
  ORLOP_TRY(holder, unit.find(key));
  if (!holder || *holder == self) return {};
  const Family* parent = parent_of(family);
  const std::string scope = family.name_scope == NameScope::everywhere || parent == nullptr ? ""
                            : family.name_scope == NameScope::organization                  ? " of this organization"
                                                                           : " of this " + words_for(*parent);
  return make_error(ErrorCode::conflict, "name \"" + std::string(name) + "\" is taken by another " + words_for(family) +
                                             scope + "; names differ in more than case");
}

}  // namespace orlop
