// Credentials of GCP: the key of a service account, or a workload identity that impersonates one.
#include "families/shapes/clusters/cloud_credentials.h"

namespace orlop::families::gcp_credentials {
namespace {

using namespace shapes;

constexpr std::int64_t token_lifetime_seconds = 3600;

constexpr std::string_view types[] = {"SERVICE_ACCOUNT_KEY", "WORKLOAD_IDENTITY_FEDERATION", "WIF"};
constexpr std::string_view object_types[] = {"GCP", "GCP_WORKLOAD_IDENTITY_FEDERATION"};

constexpr Field fields[] = {
    credentials_name,
    enumeration("credential_type", types,
                "Type of the credentials: key of a service account, or workload identity federation (`WIF` for short). "
                "Default: derived "
                "from the given fields.")
        .input_only(),
    text("gcp_credentials",
         "Key file of the Google service account, as JSON. Required for `SERVICE_ACCOUNT_KEY`. Never returned; an edit "
         "that omits "
         "it keeps the stored value.")
        .secret()
        .at_least(1),
    text("service_account_email",
         "Email of the Google service account that the platform impersonates. Required for "
         "`WORKLOAD_IDENTITY_FEDERATION`, else "
         "it must be absent.")
        .at_least(1),
    text("workload_identity_provider_resource",
         "Resource name of the OIDC workload identity provider, as in "
         "`projects/1/locations/global/workloadIdentityPools/pool/providers/name`. Required for "
         "`WORKLOAD_IDENTITY_FEDERATION`, "
         "else it must be absent.")
        .at_least(1),
    text("project_id",
         "ID of the Google Cloud project, taken from the resource name of the workload identity provider.")
        .read_only(),
    integer("token_lifetime_seconds", "Lifetime of the access tokens of the workload identity in seconds. Always 3600.")
        .read_only(),
    enumeration("object_type", object_types,
                "Kind of the stored credentials, which distinguishes them in lists of credentials.")
        .read_only()
        .always_present(),
};

bool is_identity(const Value& record) {
  const std::string_view type = record.text_or("credential_type", "");
  if (!type.empty()) return type != "SERVICE_ACCOUNT_KEY";
  return is_given(record, "service_account_email") || is_given(record, "workload_identity_provider_resource");
}

// Returns the part of the provider's resource after "projects/"; empty if there is none.
std::string_view project_of(std::string_view resource) {
  constexpr std::string_view enum_value = "projects/";
  const std::size_t at = resource.find(enum_value);
  if (at == std::string_view::npos) return {};
  resource.remove_prefix(at + enum_value.size());
  return resource.substr(0, resource.find('/'));
}

void check(const Value& record, ValidationContext&, Violations& violations) {
  if (is_identity(record)) {
    check_members(record, "", {"service_account_email", "workload_identity_provider_resource"}, {},
                  "WORKLOAD_IDENTITY_FEDERATION", violations);
  } else {
    check_members(record, "", {"gcp_credentials"}, {"service_account_email", "workload_identity_provider_resource"},
                  "SERVICE_ACCOUNT_KEY", violations);
  }
}

void complete(Value& record, ValidationContext&) {
  const bool federated = is_identity(record);
  record.erase("credential_type");
  record.set("object_type", Value(federated ? "GCP_WORKLOAD_IDENTITY_FEDERATION" : "GCP"));
  if (federated) {
    record.erase("gcp_credentials");
    const std::string project(project_of(record.text_or("workload_identity_provider_resource", "")));
    record.set("project_id", Value(project));
    record.set("token_lifetime_seconds", Value(token_lifetime_seconds));
  } else {
    record.erase("project_id");
    record.erase("token_lifetime_seconds");
  }
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 22,
    .name = "gcp_credentials",
    .schema = "GcpCredentials",
    .segment = "gcp/credentials",
    .id_name = "credentialsId",
    .about =
        "GCP credentials give the platform access to a Google Cloud project, by the key of a service account or by "
        "workload "
        "identity federation.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .name_space = credentials_names,
    .sample = R"({"name": "gcp", "gcp_credentials": "{\"type\": \"service_account\"}"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::gcp_credentials
