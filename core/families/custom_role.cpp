// A custom role says what its holders may do in each cluster and project.
#include "families/shapes/rules.h"
#include "families/shapes/words.h"
#include "model/role.h"

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view cluster_words[] = {"VIEWER", "ENV_CREATOR", "ADMIN"};
constexpr std::string_view project_words[] = {"NO_ACCESS", "VIEWER", "DEPLOYER", "MANAGER"};

constexpr Field cluster_fields[] = {
    uuid("cluster_id", "The cluster.").required(),
    text("cluster_name", "The cluster's name when the role was last written.").read_only(),
    word("permission", cluster_words, "What its holders may do there: look, put environments on it, or everything.").required(),
};
constexpr Shape cluster_permission{.name = "OrganizationCustomRoleClusterPermissions", .fields = cluster_fields};

constexpr Field mode_fields[] = {
    word("environment_type", environment_modes, "Of environments of which mode.").required(),
    word("permission", project_words, "What its holders may do there: nothing, look, deploy, or everything.").required(),
};
constexpr Shape mode_permission{.name = "OrganizationCustomRoleEnvironmentPermission", .fields = mode_fields};

constexpr Field project_fields[] = {
    uuid("project_id", "The project.").required(),
    text("project_name", "The project's name when the role was last written.").read_only(),
    boolean("is_admin", "Whether its holders may do everything in the project.").defaults_to(false),
    list_of("permissions", mode_permission, "What they may do otherwise, one entry for each mode; nothing where there is none.")
        .at_most(10)
        .defaults_to_empty(),
};
constexpr Shape project_permission{.name = "OrganizationCustomRoleProjectPermissions", .fields = project_fields};

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other role of the organization.").required().named(),
    text("description", "What it is for."),
    list_of("cluster_permissions", cluster_permission, "By cluster; one without an entry may be looked at.")
        .at_most(5000)
        .defaults_to_empty(),
    list_of("project_permissions", project_permission, "By project; one without an entry is hidden.")
        .at_most(5000)
        .defaults_to_empty(),
};

constexpr VerbNeed needs[] = {
    {Verb::create, Level::administer}, {Verb::edit, Level::administer}, {Verb::remove, Level::administer}};

constexpr Trait traits[] = {Trait::role};

// Each entry names something of this organization, once.
void check_targets(const Value& record, std::string_view list, std::string_view member, std::string_view family, Surroundings& around,
                   Violations& violations) {
  check_distinct(record, list, member, violations);
  const Value::List& items = items_of(record, list);
  for (std::size_t index = 0; index < items.size(); ++index) {
    const auto id = id_of(items[index], member);
    if (id && around.find(family, *id) != nullptr) continue;
    refuse(violations, item_path(list, index, member),
           "must name a " + std::string(family) + " of this organization, not " + quoted(items[index].text_or(member, "")));
  }
}

void check(const Value& record, Surroundings& around, Violations& violations) {
  if (find_role(record.text_or("name", "")) != nullptr) refuse(violations, "name", "must not be that of a built-in role");
  check_targets(record, "cluster_permissions", "cluster_id", "cluster", around, violations);
  check_targets(record, "project_permissions", "project_id", "project", around, violations);
  const Value::List& projects = items_of(record, "project_permissions");
  for (std::size_t index = 0; index < projects.size(); ++index) {
    check_distinct(projects[index], "permissions", "environment_type", violations, item_path("project_permissions", index));
  }
}

void complete_names(Value& record, std::string_view list, std::string_view member, std::string_view name, std::string_view family,
                    Surroundings& around) {
  Value* entries = record.find(list);
  if (entries == nullptr || !entries->is_list()) return;
  for (Value& entry : entries->items()) {
    const auto id = id_of(entry, member);
    const Value* found = id ? around.find(family, *id) : nullptr;
    if (found != nullptr) entry.set(name, Value(found->text_or("name", "")));
  }
}

void complete(Value& record, Surroundings& around) {
  complete_names(record, "cluster_permissions", "cluster_id", "cluster_name", "cluster", around);
  complete_names(record, "project_permissions", "project_id", "project_name", "project", around);
}

}  // namespace

extern const Family custom_role;
constexpr Family custom_role = {
    .number = custom_role_number,
    .name = "custom_role",
    .schema = "OrganizationCustomRole",
    .segment = "customRole",
    .id_name = "customRoleId",
    .about = "A custom role says what its holders may do in each cluster and project.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .traits = traits,
    .needs = needs,
    .sample = R"({"name": "release managers"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families
