// A helm repository holds the charts that helm services install.
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"

namespace orlop::computations {
ComputeFunction referring_services;
}

namespace orlop::families::helm_repository {
namespace {

using namespace shapes;

constexpr Field config_fields[] = {
    text("username", "User name for the repository."),
    text("password",
         "Password or access token of the user. Never returned; an edit that omits it keeps the stored value.")
        .secret(),
    text("region", "Region of the repository, as in `eu-west-3`."),
    text("access_key_id", "ID of the AWS access key."),
    text("secret_access_key",
         "Secret of the AWS access key. Never returned; an edit that omits it keeps the stored value.")
        .secret(),
    text("role_arn", "ARN of the IAM role that the platform assumes, in place of an AWS access key."),
    text("scaleway_access_key", "ID of the Scaleway access key."),
    text("scaleway_secret_key",
         "Secret of the Scaleway access key. Never returned; an edit that omits it keeps the stored value.")
        .secret(),
    text("scaleway_project_id", "ID of the Scaleway project that contains the repository."),
    text("azure_tenant_id", "ID of the Microsoft Entra tenant."),
    text("azure_subscription_id", "ID of the Azure subscription."),
};
constexpr Shape config{.name = "HelmRepositoryConfig", .fields = config_fields};

constexpr Field fields[] = {
    text("name",
         "Name of the Helm repository, unique among the Helm repositories of the organization without regard to "
         "case.")
        .required()
        .unique_name(),
    enumeration("kind", helm_repository_kinds,
                "Kind of the repository: an HTTPS chart repository, or the OCI registry of a vendor.")
        .required(),
    text("description", "Free text that describes the repository. Default: empty.").defaults_to(""),
    text("url",
         "URL of the repository, beginning with `https://` for `HTTPS` and with `oci://` for all other kinds, without "
         "a password."),
    boolean(
        "skip_tls_verification",
        "Skip verification of the repository's TLS certificate. Only for repositories with self-signed certificates.")
        .required(),
    object("config", config, "Credentials for the repository. An empty object: public repository.").required(),
    computed(integer("associated_services_count",
                     "Number of services that use the repository. A repository in use cannot be deleted."),
             computations::referring_services),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  const std::string_view kind = record.text_or("kind", "");
  const std::string_view url = record.text_or("url", "");
  const std::string_view scheme = kind == "HTTPS" ? "https://" : "oci://";
  if (url.empty() || !check_no_password(url, "url", "config.password", violations)) return;
  const bool fits =
      url.starts_with(scheme) && url.size() > scheme.size() && url.find_first_of(" \t\r\n") == std::string_view::npos;
  if (fits) return;
  refuse(violations, "url",
         "must be an address that starts with " + std::string(scheme) + " for " + std::string(kind) + ", not " +
             quoted(url));
}

void complete(Value& record, ValidationContext&) {
  if (!is_given(record, "url")) record.erase("url");
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 31,
    .name = "helm_repository",
    .schema = "HelmRepository",
    .segment = "helmRepository",
    .id_name = "helmRepositoryId",
    .about =
        "A Helm repository stores the charts that Helm services install. Clusters pull the charts with its "
        "credentials.",
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

}  // namespace orlop::families::helm_repository
