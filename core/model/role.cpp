#include "model/role.h"

#include <algorithm>

#include "model/form.h"

namespace orlop {

const Role* find_role(std::string_view name) {
  for (const auto member : {&Role::name, &Role::enum_value}) {
    const auto* found = std::ranges::find_if(
        built_in_roles, [&](const Role& role) { return lower_case(role.*member) == lower_case(name); });
    if (found != std::end(built_in_roles)) return found;
  }
  return nullptr;
}

bool sees_everything(const Role& role) {
  constexpr ScopeKind places[] = {ScopeKind::organization, ScopeKind::cluster, ScopeKind::project,
                                  ScopeKind::environment};
  return std::ranges::all_of(places, [&role](ScopeKind place) { return role.at(place) >= Level::view; });
}

const Role* find_role(const Id& id) {
  const auto* found = std::ranges::find_if(built_in_roles, [&](const Role& role) { return parse_id(role.id) == id; });
  return found == std::end(built_in_roles) ? nullptr : found;
}

std::string_view to_string(Level level) {
  switch (level) {
    case Level::none: return "none";
    case Level::view: return "view";
    case Level::operate: return "operate";
    case Level::manage: return "manage";
    case Level::administer: return "administer";
    case Level::own: return "own";
  }
  return "none";
}

std::string_view to_string(ScopeKind place) {
  switch (place) {
    case ScopeKind::organization: return "organization";
    case ScopeKind::cluster: return "cluster";
    case ScopeKind::project: return "project";
    case ScopeKind::environment: return "environment";
    case ScopeKind::billing: return "billing";
  }
  return "organization";
}

}  // namespace orlop
