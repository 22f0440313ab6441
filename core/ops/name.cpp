#include "ops/name.h"

#include <algorithm>

#include "base/text/case_folding.h"
#include "model/registry.h"

namespace orlop {

const Field* name_field(const Family& family) {
  const auto found = std::ranges::find(family.fields, true, &Field::is_unique_name);
  return found == family.fields.end() ? nullptr : &*found;
}

bool is_found_by_name(const Family& family) {
  const Field* const field = name_field(family);
  return field != nullptr && field->name == "name" && family.name_scope != NameScope::none;
}

namespace {

std::string_view scope_words(const Family& family) {
  switch (family.name_scope) {
    case NameScope::none:
    case NameScope::everywhere:
      return "";
    case NameScope::organization:
      return " of this organization";
    case NameScope::parent:
      return is_root(family) ? "" : " of this ";
  }
  return "";
}

}  // namespace

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
  const Field* field = name_field(family);
  if (field == nullptr) return "";
  const FamilyNumber space = family.name_space == 0 ? family.number : family.name_space;
  std::string key;
  key.reserve(scope.bytes.size() + sizeof space + name.size());
  key.resize(scope.bytes.size());
  std::ranges::copy(scope.bytes, key.begin());
  key.push_back(static_cast<char>(space >> 8));
  key.push_back(static_cast<char>(space & 0xFF));
  if (field->name_case == Case::ignored) {
    append_folded(key, name);
  } else {
    key.append(name);
  }
  return key;
}

std::string words_for(const Family& family) {
  std::string noun(family.name);
  std::ranges::replace(noun, '_', ' ');
  return noun;
}

Result<void> require_free_name(Unit& unit, const Family& family, const std::string& key, std::string_view name, const Record& record) {
  if (key.empty()) return {};
  const bool is_new = record.revision == 0;
  ORLOP_TRY(holder, is_new ? unit.find(key, Expected::absent) : unit.find(key));
  if (!holder || *holder == record.id) return {};
  std::string scope(scope_words(family));
  if (scope.ends_with("this ")) {
    ORLOP_TRY(parent, unit.record(record.parent));
    const Family* above = parent ? find_family(parent->family) : nullptr;
    scope += above == nullptr ? "parent" : words_for(*above);
  }
  const Field& field = *name_field(family);
  const std::string_view ending = field.name_case == Case::sensitive ? "" : "; names differ in more than case";
  return make_error(ErrorCode::conflict, std::string(field.name) + " \"" + std::string(name) + "\" is taken by another " +
                                             words_for(family) + scope + std::string(ending));
}

}  // namespace orlop
