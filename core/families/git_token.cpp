// A git token gives access to the repositories of one git provider.
#include "families/shapes/rules.h"
#include "families/shapes/enumerations.h"

namespace orlop::computations {
ComputeFunction referring_services;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other git token of the organization.").required().unique_name(),
    text("description", "What it is for."),
    enumeration("type", git_providers, "The provider that it is for.").required(),
    text("token", "The token itself.").required().secret().at_least(1),
    text("workspace", "The workspace that it is for; required for BITBUCKET.").at_least(1),
    uri("git_api_url", "The address of the provider's interface; the provider's public one if absent."),
    computed(integer("associated_services_count", "How many services use it."), computations::referring_services),
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
}

void complete(Value& record, ValidationContext&) {
  if (!is_given(record, "git_api_url")) record.set("git_api_url", Value(public_address(record.text_or("type", ""))));
}

}  // namespace

extern const Family git_token;
constexpr Family git_token = {
    .number = 32,
    .name = "git_token",
    .schema = "GitToken",
    .segment = "gitToken",
    .id_name = "gitTokenId",
    .about = "A git token gives access to the repositories of one git provider.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .sample = R"({"name": "github", "type": "GITHUB", "token": "secret"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families
