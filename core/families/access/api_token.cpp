// An API token lets a program act in an organization, in a role.
#include "families/shapes/token.h"

namespace orlop::computations {
ComputeFunction token_last_use;
}

namespace orlop::families::api_token {
namespace {

using namespace shapes;

constexpr std::string_view scopes[] = {"ADMIN"};

constexpr Field fields[] = {
    text("name", "Name of the token, unique among the API tokens of the organization without regard to case.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the purpose of the token."),
    enumeration("scope", scopes,
                "Legacy form of the role: `ADMIN`. Used only if `role_id` is absent, which also means ADMIN.")
        .nullable()
        .input_only(),
    uuid("role_id",
         "ID of the role that limits what the token may do: a built-in role or a custom role. Null or absent: ADMIN.")
        .nullable(),
    text("role_name", "Current name of the role.").read_only(),
    text("creator_name", "Name of the caller that created the token.").read_only(),
    date_time("expires_at", "Time from which the token is rejected, in the future. Null or absent: it does not expire.")
        .nullable(),
    text("token",
         "Value of the token, sent as `Authorization: Token VALUE`. Returned only by the operation that creates it.")
        .read_only(),
    computed(date_time("last_used_at",
                       "Time of the last request with the token, rounded down to the hour. Null: never "
                       "used.")
                 .nullable(),
             computations::token_last_use),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 43,
    .name = "api_token",
    .schema = "OrganizationApiToken",
    .segment = "apiToken",
    .id_name = "apiTokenId",
    .about =
        "An API token authenticates programs in one organization with the permissions of a role. The engine stores "
        "only a digest "
        "of its value.",
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

}  // namespace orlop::families::api_token
