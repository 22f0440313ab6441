// A helm repository holds the charts that helm services install.
#include "families/shapes/rules.h"

namespace orlop::computations {
ComputeFunction referring_services;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view kinds[] = {"HTTPS",          "OCI_ECR",        "OCI_SCALEWAY_CR", "OCI_DOCKER_HUB",
                                      "OCI_PUBLIC_ECR", "OCI_GENERIC_CR", "OCI_GITHUB_CR",   "OCI_GITLAB_CR"};

constexpr Field config_fields[] = {
    text("username", "Who signs in."),
    text("password", "That user's password or token.").secret(),
    text("region", "The repository's region."),
    text("access_key_id", "The name of a key of AWS."),
    text("secret_access_key", "The key of AWS itself.").secret(),
    text("role_arn", "The role of AWS to take instead of a key."),
    text("scaleway_access_key", "The name of a key of Scaleway."),
    text("scaleway_secret_key", "The key of Scaleway itself.").secret(),
    text("scaleway_project_id", "The project at Scaleway."),
    text("azure_tenant_id", "The tenant's id at Azure."),
    text("azure_subscription_id", "The subscription's id at Azure."),
};
constexpr Shape config{.name = "HelmRepositoryConfig", .fields = config_fields};

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other helm repository of the organization.").required().unique_name(),
    enumeration("kind", kinds, "The kind of repository.").required(),
    text("description", "What it is for.").defaults_to(""),
    text("url", "Its address: with https:// for HTTPS, with oci:// for the other kinds."),
    boolean("skip_tls_verification", "Whether its certificate is taken without a look.").required(),
    object("config", config, "How it is reached.").required(),
    computed(integer("associated_services_count", "How many services use it."), computations::referring_services),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  const std::string_view kind = record.text_or("kind", "");
  const std::string_view url = record.text_or("url", "");
  const std::string_view scheme = kind == "HTTPS" ? "https://" : "oci://";
  if (url.empty()) return;
  const bool fits =
      url.starts_with(scheme) && url.size() > scheme.size() && url.find_first_of(" \t\r\n") == std::string_view::npos;
  if (fits) return;
  refuse(violations, "url",
         "must be an address that starts with " + std::string(scheme) + " for " + std::string(kind) + ", not " + quoted(url));
}

void complete(Value& record, ValidationContext&) {
  if (!is_given(record, "url")) record.erase("url");
}

}  // namespace

extern const Family helm_repository;
constexpr Family helm_repository = {
    .number = 31,
    .name = "helm_repository",
    .schema = "HelmRepository",
    .segment = "helmRepository",
    .id_name = "helmRepositoryId",
    .about = "A helm repository holds the charts that helm services install.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .sample =
        R"({"name": "charts", "kind": "HTTPS", "url": "https://charts.example.com",
      "skip_tls_verification": false, "config": {}})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families
