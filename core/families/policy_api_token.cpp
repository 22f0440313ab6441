// A policy API token is an API token whose requests a policy has to allow, too.
#include "families/shapes/token.h"

namespace orlop::computations {
ComputeFunction token_last_use;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other token of the organization.").required().unique_name(),
    text("description", "What it is for."),
    text("opa_policy", "The policy, in the language of Open Policy Agent.").required().at_least(1),
    uuid("role_id", "The role that it acts in; null for ADMIN.").nullable(),
    text("role_name", "The name of the role.").read_only(),
    text("creator_name", "Who made it.").read_only(),
    date_time("expires_at", "When it stops being accepted; absent for never.").nullable(),
    text("user_sub", "What it calls itself, in the answer that makes it.").read_only(),
    text("token", "The token itself, in the answer that makes it and never again.").read_only(),
    computed(date_time("last_used_at", "When it was last used, to the hour; null for never.").nullable(), computations::token_last_use),
};

}  // namespace

extern const Family policy_api_token;
constexpr Family policy_api_token = {
    .number = policy_api_token_number,
    .name = "policy_api_token",
    .schema = "OrganizationPolicyApiToken",
    .segment = "policyApiToken",
    .id_name = "policyApiTokenId",
    .about = "A policy API token is an API token whose requests a policy has to allow, too. The engine asks its host's policy evaluator: "
             "where there is none, such a token is refused everything.",
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

}  // namespace orlop::families
