#include "access/permission.h"
#include "unit/lineage.h"

#include <algorithm>
#include <utility>

#include "base/family_number.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Level that a permission of a custom role grants.
Level level_of(std::string_view permission) {
  struct NamedLevel {
    std::string_view name;
    Level level;
  };
  constexpr NamedLevel permissions_known[] = {
      {"NO_ACCESS", Level::none},   {"VIEWER", Level::view},    {"ENV_CREATOR", Level::operate},
      {"DEPLOYER", Level::operate}, {"MANAGER", Level::manage}, {"ADMIN", Level::manage},
  };
  const auto* found = std::ranges::find(permissions_known, permission, &NamedLevel::name);
  return found == std::end(permissions_known) ? Level::none : found->level;
}

const Value* entry_for(const Value& role, std::string_view list, std::string_view name, const Id& id) {
  const Value* entries = role.find(list);
  if (entries == nullptr || !entries->is_list()) return nullptr;
  for (const Value& entry : entries->items()) {
    if (parse_id(entry.text_or(name, "")) == id) return &entry;
  }
  return nullptr;
}

// Level in a cluster; `view` if the role does not name the cluster.
Level cluster_level(const Value& role, const Id& cluster) {
  const Value* entry = entry_for(role, "cluster_permissions", "cluster_id", cluster);
  return entry == nullptr ? Level::view : level_of(entry->text_or("permission", "VIEWER"));
}

Level mode_level(const Value& project, std::string_view mode) {
  if (const Value* permissions = project.find("permissions"); permissions != nullptr && permissions->is_list()) {
    for (const Value& entry : permissions->items()) {
      if (entry.text_or("environment_type", "") == mode) return level_of(entry.text_or("permission", "NO_ACCESS"));
    }
  }
  return Level::none;
}

// `operate` in a project if the caller may manage environments of some mode, and so create them; `view` if it sees
// some.
Level project_level(const Value& project) {
  Level highest = Level::none;
  for (const std::string_view mode : {"DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"}) {
    highest = std::max(highest, mode_level(project, mode));
  }
  return highest == Level::manage ? Level::operate : std::min(highest, Level::view);
}

Result<Level> custom_level(const Value& role, const Scope& scope) {
  if (scope.place == ScopeKind::organization) return Level::view;
  if (scope.place == ScopeKind::cluster) return cluster_level(role, scope.record.id);
  const bool is_environment = scope.place == ScopeKind::environment;
  const Value* project =
      entry_for(role, "project_permissions", "project_id", is_environment ? scope.record.parent : scope.record.id);
  if (project == nullptr) return Level::none;
  if (project->boolean_or("is_admin", false)) return Level::manage;
  if (!is_environment) return project_level(*project);
  ORLOP_TRY(environment, parse_stored(scope.record.body));
  return mode_level(*project, environment.text_or("mode", ""));
}

std::string key_of(const Id& scope, FamilyNumber number, std::string_view name) {
  std::string key(scope.bytes.begin(), scope.bytes.end());
  key.push_back(static_cast<char>(number >> 8));
  key.push_back(static_cast<char>(number & 0xFF));
  return key.append(name);
}

Error too_weak(Level needed, const Scope& scope) {
  const std::string place = scope.place == ScopeKind::billing ? "the billing of this organization"
                                                              : "this " + std::string(to_string(scope.place));
  return make_error(ErrorCode::forbidden,
                    "the caller's role does not let it " + std::string(to_string(needed)) + " in " + place);
}

}  // namespace

std::string member_key(const Id& organization, const Id& user) {
  return key_of(organization, member_number, to_text(user));
}

// A part of the digest is enough as a key; the caller compares the whole digest.
std::string token_key(std::string_view token_digest) {
  return key_of({}, token_digest_number, token_digest.substr(0, 16));
}

Result<Scope> scope_of(Unit& unit, const Record& record) {
  static const std::pair<const Family*, ScopeKind> places[] = {{find_family("environment"), ScopeKind::environment},
                                                               {find_family("project"), ScopeKind::project},
                                                               {find_family("cluster"), ScopeKind::cluster},
                                                               {find_family("organization"), ScopeKind::organization}};
  Lineage lineage(unit, record);
  while (true) {
    for (const auto& [family, place] : places) {
      if (family->number == lineage.at().family) return Scope{place, lineage.at()};
    }
    ORLOP_TRY(is_higher, lineage.up());
    if (!is_higher) return Scope{ScopeKind::organization, lineage.at()};
  }
}

Result<std::optional<HeldRole>> find_held_role(Unit& unit, const Id& organization, const Id& role) {
  if (const Role* built_in = find_role(role)) return std::optional(HeldRole{built_in, std::nullopt});
  ORLOP_TRY(record, unit.record(role));
  if (!record || record->family != custom_role_number || record->organization != organization)
    return std::optional<HeldRole>();
  ORLOP_TRY(body, parse_stored(record->body));
  return std::optional(HeldRole{nullptr, std::move(body)});
}

Result<std::optional<Id>> Permissions::role_id_in(const Id& organization) {
  std::optional<Id> holder = caller_.id;
  if (caller_.kind == Caller::Kind::user) {
    ORLOP_TRY(member, unit_.find(member_key(organization, caller_.id)));
    holder = member;
  } else if (caller_.organization != organization) {
    holder.reset();
  }
  if (!holder) return std::optional<Id>();
  ORLOP_TRY(record, unit_.record(*holder));
  if (!record) return std::optional<Id>();
  ORLOP_TRY(body, parse_stored(record->body));
  return parse_id(body.text_or("role_id", ""));
}

Result<const HeldRole*> Permissions::role_in(const Id& organization) {
  auto known = roles_.find(organization);
  if (known == roles_.end()) {
    std::optional<HeldRole> held;
    ORLOP_TRY(id, role_id_in(organization));
    if (id) {
      ORLOP_TRY(found, find_held_role(unit_, organization, *id));
      held = std::move(found);
    }
    known = roles_.emplace(organization, std::move(held)).first;
  }
  const HeldRole* role = known->second ? &*known->second : nullptr;
  return role;
}

Result<Level> Permissions::level_at(const Record& record) {
  if (caller_.kind == Caller::Kind::host) return Level::own;
  ORLOP_TRY(role, role_in(record.organization));
  if (role == nullptr) return Level::none;
  ORLOP_TRY(scope, scope_of(unit_, record));
  return role->built_in != nullptr ? Result<Level>(role->built_in->at(scope.place))
                                   : custom_level(*role->custom, scope);
}

Result<bool> Permissions::sees_all_of(const Id& organization) {
  if (caller_.kind == Caller::Kind::host) return true;
  ORLOP_TRY(role, role_in(organization));
  return role != nullptr && role->built_in != nullptr && sees_everything(*role->built_in);
}

Result<void> Permissions::require(const Record& record, Level needed) {
  if (caller_.kind == Caller::Kind::host) return {};
  ORLOP_TRY(level, level_at(record));
  if (level >= needed) return {};
  ORLOP_TRY(scope, scope_of(unit_, record));
  return too_weak(needed, scope);
}

// A custom role has no level in billing.
Result<void> Permissions::require_in_billing(const Record& record, Level needed) {
  if (caller_.kind == Caller::Kind::host) return {};
  ORLOP_TRY(role, role_in(record.organization));
  if (role == nullptr || role->built_in == nullptr || role->built_in->at(ScopeKind::billing) < needed) {
    return too_weak(needed, Scope{ScopeKind::billing, record});
  }
  return {};
}

Result<void> Permissions::filter(std::vector<Record>& records) {
  if (caller_.kind == Caller::Kind::host) return {};
  std::vector<Record> shown;
  for (Record& record : records) {
    ORLOP_TRY(role, role_in(record.organization));
    const bool sees_all = role != nullptr && role->built_in != nullptr && sees_everything(*role->built_in);
    ORLOP_TRY(level, sees_all ? Result<Level>(Level::view) : level_at(record));
    if (level >= Level::view) shown.push_back(std::move(record));
  }
  records = std::move(shown);
  return {};
}

// Putting an environment on a cluster needs `operate` on the cluster too.
Result<void> Permissions::require_cluster(const Record& environment) {
  ORLOP_TRY(body, parse_stored(environment.body));
  const auto id = parse_id(body.text_or("cluster_id", ""));
  if (!id) return {};
  ORLOP_TRY(cluster, unit_.record(*id));
  return cluster ? require(*cluster, Level::operate) : Result<void>();
}

// A built-in role has the same level for all records of a kind, and the route has already checked it.
Result<void> Permissions::require_changes(const Id& organization) {
  if (caller_.kind == Caller::Kind::host) return {};
  for (const RecordWrite& write : unit_.changes().records) {
    const Record& record = write.record;
    const Family* family = find_family(record.family);
    if (family == nullptr || family->is_internal) continue;
    ORLOP_TRY(role, role_in(record.organization));
    if (role != nullptr && role->built_in != nullptr && record.organization == organization) continue;
    ORLOP_CHECK(require(record, write.expected_revision == 0 ? Level::manage : Level::operate));
    if (family->machine == MachineKind::environment) ORLOP_CHECK(require_cluster(record));
  }
  return {};
}

}  // namespace orlop
