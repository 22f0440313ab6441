// The DNS provider with which the platform creates the records of a cluster's services.
#include <string>

#include "base/brand.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::cluster_dns_provider {
namespace {

using namespace shapes;

constexpr std::string_view providers[] = {branded_names::manager, "CLOUDFLARE", "ROUTE53"};
constexpr std::string_view credential_types[] = {"STATIC"};

constexpr Field credential_fields[] = {
    enumeration("type", credential_types, "Kind of the credentials: an access key.").required(),
    text("aws_access_key_id", "ID of the AWS access key.").required().at_least(1),
    text("aws_secret_access_key",
         "Secret of the AWS access key. Never returned; an edit that omits it keeps the stored value.")
        .required()
        .secret()
        .at_least(1),
};
constexpr Shape credentials{.name = "Route53StaticCredentials", .fields = credential_fields};

constexpr Field cloudflare_fields[] = {
    text("email", "Email address of the Cloudflare account.").required().at_least(3).at_most(255),
    text("api_token", "API token of the account. Never returned; an edit that omits it keeps the stored value.")
        .required()
        .secret()
        .at_least(1),
    boolean("proxied", "Send the traffic through Cloudflare's proxy. Default: false.").defaults_to(false),
};
constexpr Field route53_fields[] = {
    object("credentials", credentials, "Credentials for Route 53.").required(),
    text("aws_region", "AWS region of the API, as in `eu-west-3`.").required().at_least(1),
    text("hosted_zone_id", "ID of the hosted zone. Null: found by the domain.").nullable(),
};
constexpr Variant variants[] = {
    {.enum_value = branded_names::manager, .fields = {}},
    {.enum_value = "CLOUDFLARE", .fields = cloudflare_fields},
    {.enum_value = "ROUTE53", .fields = route53_fields},
};
constexpr Field provider_fields[] = {
    enumeration("provider", providers, "DNS provider: the platform's own (`{BRAND}`), Cloudflare or Amazon Route 53.")
        .required(),
    text("domain", "Domain below which the names of the services lie, as in `apps.example.com`.")
        .required()
        .at_least(1)
        .at_most(253),
};
constexpr Shape provider{
    .name = "ClusterDnsProvider", .fields = provider_fields, .discriminator = "provider", .variants = variants};

// A cluster without this setting uses the platform's provider; a PUT must set it.
constexpr Field fields[] = {
    object("dns_provider", provider, "DNS provider of the cluster. Required in an edit.").always_present(),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  if (!record.has("dns_provider")) refuse(violations, "dns_provider", "is required");
}

void complete(Value& record, ValidationContext& context) {
  if (record.has("dns_provider")) return;
  Value own = Value::object();
  own.set("provider", Value(branded(branded_names::manager, context.brand())));
  own.set("domain", Value(branded(branded_names::external_domain, context.brand()).substr(1)));
  record.set("dns_provider", std::move(own));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 86,
    .name = "cluster_dns_provider",
    .schema = "ClusterDnsProviderSettings",
    .segment = "dnsProvider",
    .id_name = "dnsProviderId",
    .about =
        "The DNS provider of a cluster: where the platform makes the DNS records of its services. Takes effect with "
        "the next deployment of the cluster.",
    .parent = "cluster",
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .configures = "dns_provider",
    .sample =
        R"({"dns_provider": {"provider": "CLOUDFLARE", "domain": "apps.example.com", "email": "ada@example.com", )"
        R"("api_token": "token"}})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::cluster_dns_provider
