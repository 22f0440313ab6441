// A container registry holds the images that services run.
#include <algorithm>

#include "families/shapes/credentials.h"
#include "families/shapes/enumerations.h"

namespace orlop::computations {
ComputeFunction referring_services;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view gcp_types[] = {"workload_identity_federation"};

constexpr Field config_fields[] = {
    text("username", "Who signs in."),
    text("password", "That user's password or token.").secret(),
    text("region", "The registry's region."),
    text("access_key_id", "The name of a key of AWS."),
    text("secret_access_key", "The key of AWS itself.").secret(),
    text("role_arn", "The role of AWS to take instead of a key."),
    text("scaleway_access_key", "The name of a key of Scaleway."),
    text("scaleway_secret_key", "The key of Scaleway itself.").secret(),
    text("scaleway_project_id", "The project at Scaleway."),
    text("json_credentials", "The key of a service account of GCP, as JSON.").secret(),
    enumeration("gcp_credentials_type", gcp_types, "That a workload identity of GCP is used instead of a key."),
    text("project_id", "The project of the workload identity."),
    text("service_account_email", "The service account that the workload identity takes."),
    text("workload_identity_provider_resource", "Who vouches for the platform at GCP."),
    integer("token_lifetime_seconds", "How long a token of the workload identity holds, in seconds, at least 1.").at_least(1),
    text("azure_tenant_id", "The tenant's id at Azure."),
    text("azure_subscription_id", "The subscription's id at Azure."),
    text("azure_application_id", "The id of the platform's application at Azure.").read_only(),
    text("azure_application_object_id", "The id of the object that stands for that application.").read_only(),
};
constexpr Shape config{.name = "ContainerRegistryConfig", .fields = config_fields};

constexpr Field cluster_fields[] = {
    uuid("id", "The cluster's id.").required(),
    text("name", "The cluster's name.").required(),
};
constexpr Shape cluster_details{.name = "ContainerRegistryCluster", .fields = cluster_fields};

constexpr Field fields[] = {
    text("name", "Its name, different from that of every other container registry of the organization.").required().unique_name(),
    enumeration("kind", registry_kinds, "The kind of registry; DOCR is refused.").required(),
    text("description", "What it is for.").defaults_to(""),
    text("url", "Its address, with https://; for DOCKER_HUB, GITHUB_CR and GITLAB_CR theirs, by default."),
    object("config", config, "How it is reached: what is needed depends on the kind.").required(),
    object("cluster", cluster_details, "The cluster that it was made for.").read_only(),
    computed(integer("associated_services_count", "How many services use it."), computations::referring_services),
};

struct KnownAddress {
  std::string_view kind;
  std::string_view url;
};
constexpr KnownAddress known_addresses[] = {
    {"DOCKER_HUB", "https://docker.io"}, {"GITHUB_CR", "https://ghcr.io"}, {"GITLAB_CR", "https://registry.gitlab.com"}};

// "" if registries of this kind have addresses of their own.
std::string_view address_of(std::string_view kind) {
  const auto* known = std::find_if(std::begin(known_addresses), std::end(known_addresses),
                                   [kind](const KnownAddress& address) { return address.kind == kind; });
  return known == std::end(known_addresses) ? std::string_view() : known->url;
}

void check_url(const Value& record, std::string_view kind, Violations& violations) {
  std::string_view url = record.text_or("url", "");
  const std::string_view known = address_of(kind);
  if (known.empty()) {
    constexpr std::string_view scheme = "https://";
    if (url.empty()) {
      refuse(violations, "url", "is required for " + std::string(kind));
    } else if (!url.starts_with(scheme) || url.size() == scheme.size() ||
               url.find_first_of(" \t\r\n") != std::string_view::npos) {
      refuse(violations, "url", "must be an address that starts with https://, not " + quoted(url));
    }
    return;
  }
  if (url.empty() || url == known || (url.ends_with('/') && url.substr(0, url.size() - 1) == known)) return;
  refuse(violations, "url", "must be " + std::string(known) + " for " + std::string(kind) + ", not " + quoted(url));
}

void check_config(const Value& given, std::string_view kind, Violations& violations) {
  constexpr std::string_view path = "config";
  if (kind == "ECR") {
    check_members(given, path, {"region"}, {}, kind, violations);
    if (!is_given(given, "role_arn")) check_members(given, path, {"access_key_id", "secret_access_key"}, {}, kind, violations);
  } else if (kind == "SCALEWAY_CR") {
    check_members(given, path, {"region", "scaleway_access_key", "scaleway_secret_key"}, {}, kind, violations);
  } else if (kind == "GCP_ARTIFACT_REGISTRY") {
    check_members(given, path, {"region"}, {}, kind, violations);
    if (given.has("gcp_credentials_type")) {
      check_members(given, path, {"service_account_email", "workload_identity_provider_resource"}, {}, kind, violations);
    } else {
      check_members(given, path, {"json_credentials"}, {}, kind, violations);
    }
  } else if (kind == "AZURE_CR") {
    check_members(given, path, {"azure_tenant_id", "azure_subscription_id"}, {}, kind, violations);
  }
}

void check(const Value& record, ValidationContext&, Violations& violations) {
  const std::string_view kind = record.text_or("kind", "");
  if (kind == "DOCR") {
    refuse(violations, "kind", "must be a kind that is still supported, not \"DOCR\"");
    return;
  }
  check_url(record, kind, violations);
  if (const Value* given = record.find("config")) check_config(*given, kind, violations);
}

void complete(Value& record, ValidationContext& context) {
  const std::string kind(record.text_or("kind", ""));
  if (!is_given(record, "url")) record.set("url", Value(address_of(kind)));
  Value* given = record.find("config");
  if (given == nullptr) return;
  for (const std::string_view member : {"azure_application_id", "azure_application_object_id"}) {
    if (kind != "AZURE_CR") {
      given->erase(member);
    } else if (!given->has(member)) {
      given->set(member, Value(to_text(context.make_id())));
    }
  }
}

}  // namespace

extern const Family container_registry;
constexpr Family container_registry = {
    .number = 30,
    .name = "container_registry",
    .schema = "ContainerRegistry",
    .segment = "containerRegistry",
    .id_name = "containerRegistryId",
    .about = "A container registry holds the images that services run.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .sample = R"({"name": "docker hub", "kind": "DOCKER_HUB", "config": {}})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families
