// A git token gives access to the repositories of one git provider.
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"

namespace orlop::computations {
ComputeFunction referring_services;
}

namespace orlop::families::git_token {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Name of the token, unique among the git tokens of the organization without regard to case.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the purpose of the token."),
    enumeration("type", git_providers, "Git provider that issued the token.").required(),
    text("token", "Value of the token. Never returned; an edit that omits it keeps the stored value.")
        .required()
        .secret()
        .at_least(1),
    text("workspace", "Bitbucket workspace to which the token belongs. Required for `BITBUCKET`.").at_least(1),
    uri("git_api_url", "Base URL of the git provider's API. Default: the public API, as in `https://api.github.com`.")
        .always_present(),
    computed(integer("associated_services_count",
                     "Number of services that use the token. A token in use cannot be deleted."),
             computations::referring_services),
};

std::string_view public_address(std::string_view type) {
  if (type == "GITLAB") return "https://gitlab.com/api/v4";
  if (type == "BITBUCKET") return "https://api.bitbucket.org/2.0";
  return "https://api.github.com";
}

void check(const Value& record, ValidationContext&, Violations& violations) {
  if (record.text_or("type", "") == "BITBUCKET" && !is_given(record, "workspace")) {
    refuse(violations, "workspace", "is required for BITBUCKET");
  }
  check_no_password(record.text_or("git_api_url", ""), "git_api_url", "token", violations);
}

void complete(Value& record, ValidationContext&) {
  if (!is_given(record, "git_api_url")) record.set("git_api_url", Value(public_address(record.text_or("type", ""))));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 32,
    .name = "git_token",
    .schema = "GitToken",
    .segment = "gitToken",
    .id_name = "gitTokenId",
    .about = "A git token gives the platform read access to the repositories of a git provider.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .sample = R"({"name": "github", "type": "GITHUB", "token": "secret"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::git_token
