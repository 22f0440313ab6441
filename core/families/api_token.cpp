// An API token lets a program act in an organization, in a role.
#include "families/shapes/token.h"

namespace orlop::computations {
ComputeFunction token_last_use;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view scopes[] = {"ADMIN"};

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other token of the organization.").required().unique_name(),
    text("description", "What it is for."),
    enumeration("scope", scopes, "The role ADMIN, for those that name no role_id.").nullable().input_only(),
    uuid("role_id", "The role that it acts in; null for ADMIN.").nullable(),
    text("role_name", "The name of the role.").read_only(),
    text("creator_name", "Who made it.").read_only(),
    date_time("expires_at", "When it stops being accepted; absent for never.").nullable(),
    text("token", "The token itself, in the answer that makes it and never again.").read_only(),
    computed(date_time("last_used_at", "When it was last used, to the hour; null for never.").nullable(), computations::token_last_use),
};

}  // namespace

extern const Family api_token;
constexpr Family api_token = {
    .number = 43,
    .name = "api_token",
    .schema = "OrganizationApiToken",
    .segment = "apiToken",
    .id_name = "apiTokenId",
    .about = "An API token lets a program act in an organization, in a role. The token itself is shown once, when it is made.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::remove,
    .name_scope = NameScope::organization,
    .needs = token_needs,
    .sample = R"({"name": "pipeline", "role_id": "01900000-0000-7000-8000-000000000a02"})",
    .check = check_token,
    .complete = complete_token,
    .present = present_role,
};

}  // namespace orlop::families
