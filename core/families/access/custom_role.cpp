// A custom role sets the permissions of its holders in each cluster and project.
#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"
#include "model/role.h"

namespace orlop::families::custom_role {
namespace {

using namespace shapes;

constexpr std::string_view cluster_values[] = {"VIEWER", "ENV_CREATOR", "ADMIN"};
constexpr std::string_view project_values[] = {"NO_ACCESS", "VIEWER", "DEPLOYER", "MANAGER"};

constexpr Field cluster_fields[] = {
    uuid("cluster_id", "ID of a cluster of the organization.").required(),
    text("cluster_name", "Current name of the cluster.").read_only(),
    enumeration(
        "permission", cluster_values,
        "Permission on the cluster: read it (`VIEWER`), create environments on it (`ENV_CREATOR`), or manage it "
        "(`ADMIN`).")
        .required(),
};
constexpr Shape cluster_permission{.name = "OrganizationCustomRoleClusterPermissions", .fields = cluster_fields};

constexpr Field mode_fields[] = {
    enumeration("environment_type", environment_modes, "Mode of the environments to which the permission applies.")
        .required(),
    enumeration("permission", project_values,
                "Permission on the environments of that mode: none (`NO_ACCESS`), read (`VIEWER`), deploy "
                "(`DEPLOYER`), or manage "
                "(`MANAGER`).")
        .required(),
};
constexpr Shape mode_permission{.name = "OrganizationCustomRoleEnvironmentPermission", .fields = mode_fields};

constexpr Field project_fields[] = {
    uuid("project_id", "ID of a project of the organization.").required(),
    text("project_name", "Current name of the project.").read_only(),
    boolean("is_admin", "Grant all permissions on the project; `permissions` is then ignored. Default: false.")
        .defaults_to(false),
    list_of("permissions", mode_permission,
            "Permission for each environment mode, each mode once. Default: `NO_ACCESS` in each.")
        .at_most(10)
        .defaults_to_empty(),
};
constexpr Shape project_permission{.name = "OrganizationCustomRoleProjectPermissions", .fields = project_fields};

constexpr Field fields[] = {
    text("name",
         "Name of the role, unique among the roles of the organization without regard to case. The names of built-in "
         "roles are "
         "refused.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the role."),
    list_of("cluster_permissions", cluster_permission,
            "Permission on each cluster of the organization, each cluster once. Default: `VIEWER` on each.")
        .at_most(5000)
        .defaults_to_empty(),
    list_of("project_permissions", project_permission,
            "Permissions on each project of the organization, each project once. Default: `NO_ACCESS` in each mode.")
        .at_most(5000)
        .defaults_to_empty(),
};

constexpr VerbNeed needs[] = {
    {Verb::create, Level::administer}, {Verb::edit, Level::administer}, {Verb::remove, Level::administer}};

// Checks that each entry names a different target of this organization.
void check_targets(const Value& record, std::string_view list, std::string_view member, std::string_view family,
                   ValidationContext& context, Violations& violations) {
  check_distinct(record, list, member, violations);
  const Value::List& items = items_of(record, list);
  for (std::size_t index = 0; index < items.size(); ++index) {
    const auto id = id_of(items[index], member);
    if (id && context.find(family, *id) != nullptr) continue;
    refuse(violations, item_path(list, index, member),
           "must name a " + std::string(family) + " of this organization, not " +
               quoted(items[index].text_or(member, "")));
  }
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  if (find_role(record.text_or("name", "")) != nullptr)
    refuse(violations, "name", "must not be that of a built-in role");
  check_targets(record, "cluster_permissions", "cluster_id", "cluster", context, violations);
  check_targets(record, "project_permissions", "project_id", "project", context, violations);
  const Value::List& projects = items_of(record, "project_permissions");
  for (std::size_t index = 0; index < projects.size(); ++index) {
    check_distinct(projects[index], "permissions", "environment_type", violations,
                   item_path("project_permissions", index));
  }
}

// One list of permissions: member and family of its targets.
struct Targets {
  std::string_view list;
  std::string_view member;
  std::string_view name;
  std::string_view family;
};
constexpr Targets clusters{"cluster_permissions", "cluster_id", "cluster_name", "cluster"};
constexpr Targets projects{"project_permissions", "project_id", "project_name", "project"};

// Makes an entry for every target of the organization: those of the role in its order, then the others by age. Names
// are current.
template <typename Complete>
void present_targets(Value& record, const Targets& targets, ValidationContext& context, Complete complete) {
  const std::vector<Id> all = context.all(targets.family);
  std::unordered_set<Id> missing(all.begin(), all.end());
  Value entries = Value::list();
  const auto add = [&](Value entry, const Id& id) {
    const Value* target = context.find(targets.family, id);
    if (target == nullptr) return;
    entry.set(targets.name, Value(target->text_or("name", "")));
    complete(entry);
    entries.append(std::move(entry));
  };
  for (const Value& held : items_of(record, targets.list)) {
    const auto id = id_of(held, targets.member);
    if (id && missing.erase(*id) != 0) add(held, *id);
  }
  for (const Id& id : all) {
    if (!missing.contains(id)) continue;
    Value entry = Value::object();
    entry.set(targets.member, Value(to_text(id)));
    add(std::move(entry), id);
  }
  record.set(targets.list, std::move(entries));
}

void complete_cluster_entry(Value& entry) { set_absent(entry, "permission", Value("VIEWER")); }

void complete_project_entry(Value& entry) {
  set_absent(entry, "is_admin", Value(false));
  set_absent(entry, "permissions", Value::list());
  if (entry.boolean_or("is_admin", false)) return;
  Value& permissions = *entry.find("permissions");
  for (const std::string_view mode : environment_modes) {
    const bool is_there = std::ranges::any_of(
        permissions.items(), [mode](const Value& held) { return held.text_or("environment_type", "") == mode; });
    if (is_there) continue;
    Value none = Value::object();
    none.set("environment_type", Value(mode));
    none.set("permission", Value("NO_ACCESS"));
    permissions.append(std::move(none));
  }
}

void present(Value& record, ValidationContext& context) {
  present_targets(record, clusters, context, complete_cluster_entry);
  present_targets(record, projects, context, complete_project_entry);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = custom_role_number,
    .name = "custom_role",
    .schema = "OrganizationCustomRole",
    .segment = "customRole",
    .id_name = "customRoleId",
    .about = "A custom role grants members and API tokens permissions on the clusters and projects of an organization.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .needs = needs,
    .sample = R"({"name": "release managers"})",
    .check = check,
    .present = present,
};

}  // namespace orlop::families::custom_role
