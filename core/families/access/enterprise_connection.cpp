// A connection to the identity provider of an enterprise: maps groups to roles.
#include <string>

#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::enterprise_connection {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("connection_name",
         "Name of the connection at the identity provider, at most 255 bytes; unique within the organization. Empty: "
         "the name in the path.")
        .required()
        .at_most(255),
    text("default_role", "Name of the role of people whom no group gives another one.")
        .required()
        .at_least(1)
        .at_most(255),
    boolean("enforce_group_sync",
            "Set the role of a person by its groups at each sign-in, in the place of the role that it has.")
        .required(),
    open_object("group_mappings", "Names of groups by the name of the role that they give, at most 1000 roles.")
        .required(),
};

constexpr VerbNeed needs[] = {{Verb::list, Level::administer}};

void check(const Value& record, ValidationContext&, Violations& violations) {
  constexpr std::size_t roles_max = 1000;
  const Value* mappings = record.find("group_mappings");
  if (mappings == nullptr || !mappings->is_object()) return;
  if (mappings->members().size() > roles_max) {
    refuse(violations, "group_mappings",
           "must have at most 1000 members, not " + std::to_string(mappings->members().size()));
  }
  for (const Member& role : mappings->members()) {
    const bool is_list = role.value.is_list();
    bool has_texts = is_list;
    for (const Value& group : is_list ? role.value.items() : Value::List()) has_texts = has_texts && group.is_text();
    if (!has_texts) refuse(violations, member_path("group_mappings", role.name), "must be a list of names of groups");
  }
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 75,
    .name = "enterprise_connection",
    .schema = "EnterpriseConnection",
    .segment = "enterpriseconnection",
    .id_name = "enterpriseConnectionId",
    .about =
        "An enterprise connection holds which groups of an identity provider give people which role in the "
        "organization. They are applied when the answer of the question `authenticate` names the connection with the "
        "groups of the person: who is not a member yet becomes one.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = static_cast<std::uint8_t>(Verb::list),
    .name_scope = NameScope::none,
    .needs = needs,
    .sample = R"({"connection_name": "acme-saml", "default_role": "viewer", "enforce_group_sync": true, )"
              R"("group_mappings": {"admin": ["sre"]}})",
    .check = check,
};

}  // namespace orlop::families::enterprise_connection
