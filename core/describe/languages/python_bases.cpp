#include "describe/languages/python_bases.h"

#include <algorithm>
#include <utility>

#include "endpoints/operation_registry.h"
#include "records/create_many.h"
#include "rest/route.h"

namespace orlop {
namespace {

// `path`: "{collection}" or "{item}", as in Operation::path.
bool is_answered(const Family& family, Method method, std::string_view path) {
  return std::ranges::any_of(all_routes(), [&](const Route& route) {
    return route.family == &family && route.operation.method == method &&
           route.path == expand(path, &family, route.parent);
  });
}

}  // namespace

bool serves(const Family& family, Verb verb) {
  switch (verb) {
    case Verb::create: return is_answered(family, Method::post, "{collection}");
    case Verb::list: return is_answered(family, Method::get, "{collection}");
    case Verb::read: return is_answered(family, Method::get, "{item}");
    case Verb::edit: return is_answered(family, Method::put, "{item}");
    case Verb::remove: return is_answered(family, Method::remove, "{item}");
  }
  return false;
}

bool serves_many(const Family& family) {
  return std::ranges::any_of(all_routes(), [&](const Route& route) {
    return route.family == &family && creates_by_name(route.operation, family);
  });
}

std::vector<std::string> actions_of(const Family& family) {
  std::vector<std::string> actions;
  for (const OperationSet* set : all_operation_sets()) {
    if (set->serves(family) && !set->python_class.empty()) actions.emplace_back(set->python_class);
  }
  return actions;
}

std::vector<std::string> item_verbs_of(const Family& family) {
  std::vector<std::string> verbs;
  if (serves(family, Verb::edit)) verbs.emplace_back("Editable");
  if (serves(family, Verb::remove)) verbs.emplace_back("Deletable");
  return verbs;
}

std::vector<std::string> bases_of(const Family& family) {
  std::vector<std::string> bases = actions_of(family);
  for (std::string& verb : item_verbs_of(family)) bases.push_back(std::move(verb));
  if (bases.empty()) bases.emplace_back("Resource");
  return bases;
}

std::vector<std::string> collection_verbs_of(const Family& family) {
  std::vector<std::string> verbs;
  const bool has_names = std::ranges::any_of(
      family.fields, [](const Field& field) { return field.name == "name" && !field.is_input_only; });
  const bool is_created = serves(family, Verb::create);
  const bool is_ensured = has_names && is_created && serves(family, Verb::list) && serves(family, Verb::edit);
  if (is_ensured) {
    verbs.emplace_back("Ensurable");
  } else if (serves(family, Verb::list)) {
    verbs.emplace_back(has_names ? "Findable" : "Listable");
  }
  if (is_created && serves_many(family)) verbs.emplace_back("BulkCreatable");
  if (is_created && !is_ensured && !serves_many(family)) verbs.emplace_back("Creatable");
  if (verbs.empty()) verbs.emplace_back("Collection");
  return verbs;
}

std::string_view settings_class_of(const Family& single) {
  return serves(single, Verb::edit) ? "EditableSettings" : "Settings";
}

}  // namespace orlop
