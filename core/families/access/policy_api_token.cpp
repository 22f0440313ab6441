// A policy API token is an API token whose requests a policy must also allow.
#include "families/shapes/token.h"

namespace orlop::computations {
ComputeFunction token_last_use;
}

namespace orlop::families::policy_api_token {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name",
         "Name of the token, unique among the policy API tokens of the organization without regard to "
         "case.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the purpose of the token."),
    text("opa_policy",
         "Policy in Rego, the language of Open Policy Agent (OPA). It is evaluated for every request with the "
         "token.")
        .required()
        .at_least(1),
    uuid("role_id",
         "ID of the role that limits what the token may do: a built-in role or a custom role. Null or absent: ADMIN.")
        .nullable(),
    text("role_name", "Current name of the role.").read_only(),
    text("creator_name", "Name of the caller that created the token.").read_only(),
    date_time("expires_at", "Time from which the token is rejected, in the future. Null or absent: it does not expire.")
        .nullable(),
    text("user_sub",
         "Subject under which the token appears in the audit log. Returned only by the operation that creates it.")
        .read_only(),
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
    .number = policy_api_token_number,
    .name = "policy_api_token",
    .schema = "OrganizationPolicyApiToken",
    .segment = "policyApiToken",
    .id_name = "policyApiTokenId",
    .about =
        "A policy API token is an API token whose requests must also be allowed by a policy. The engine asks the "
        "policy "
        "evaluator of its host; without one, every request with the token is refused.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::remove,
    .name_scope = NameScope::organization,
    .needs = token_needs,
    .sample = R"({"name": "guarded", "opa_policy": "package orlop\ndefault allow = false"})",
    .check = check_token,
    .complete = complete_token,
    .present = present_role,
};

}  // namespace orlop::families::policy_api_token
