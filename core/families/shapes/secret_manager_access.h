// How a cluster's workloads read secrets that lie with a cloud provider.
#pragma once

#include "families/shapes/rules.h"

namespace orlop::shapes {

inline constexpr std::string_view endpoint_modes[] = {"AWS_SECRET_MANAGER", "AWS_PARAMETER_STORE", "GCP_SECRET_MANAGER"};
inline constexpr Field aws_endpoint_fields[] = {text("region", "The region of the store.").required()};
inline constexpr Field gcp_endpoint_fields[] = {
    text("region", "The region of the store.").required(),
    text("project_id", "The project of the store.").required(),
};
inline constexpr Variant endpoint_variants[] = {
    {.enum_value = "AWS_SECRET_MANAGER", .fields = aws_endpoint_fields},
    {.enum_value = "AWS_PARAMETER_STORE", .fields = aws_endpoint_fields},
    {.enum_value = "GCP_SECRET_MANAGER", .fields = gcp_endpoint_fields},
};
inline constexpr Field endpoint_fields[] = {enumeration("mode", endpoint_modes, "The kind of store.").required()};
inline constexpr Shape secret_endpoint{
    .name = "SecretManagerEndpoint", .fields = endpoint_fields, .discriminator = "mode", .variants = endpoint_variants};

inline constexpr std::string_view authentication_modes[] = {"AUTOMATICALLY_CONFIGURED", "AWS_ROLE_ARN", "AWS_STATIC_CREDENTIALS",
                                                            "GCP_JSON_CREDENTIALS"};
inline constexpr Field role_authentication_fields[] = {text("role_arn", "The role to take.").required()};
inline constexpr Field static_authentication_fields[] = {
    text("region", "The region of the key.").required(),
    text("access_key", "The key's name.").required(),
    text("secret_key", "The key itself.").nullable().secret(),
};
inline constexpr Field json_authentication_fields[] = {
    text("json_credentials", "The account's credentials, as JSON.").nullable().secret()};
inline constexpr Variant authentication_variants[] = {
    {.enum_value = "AUTOMATICALLY_CONFIGURED", .fields = {}},
    {.enum_value = "AWS_ROLE_ARN", .fields = role_authentication_fields},
    {.enum_value = "AWS_STATIC_CREDENTIALS", .fields = static_authentication_fields},
    {.enum_value = "GCP_JSON_CREDENTIALS", .fields = json_authentication_fields},
};
inline constexpr Field authentication_fields[] = {enumeration("mode", authentication_modes, "How it says who it is.").required()};
inline constexpr Shape secret_authentication{.name = "SecretManagerAuthentication",
                                             .fields = authentication_fields,
                                             .discriminator = "mode",
                                             .variants = authentication_variants};

inline constexpr Field secret_access_fields[] = {
    uuid("id", "Its id; one that the cluster does not have yet is replaced by a new one.").nullable(),
    date_time("created_at", "When it was created.").read_only(),
    date_time("updated_at", "When it was changed last.").read_only(),
    text("name", "Its name, different from that of every other access of the cluster.").required().at_least(1).at_most(255),
    object("endpoint", secret_endpoint, "Where the secrets lie.").required(),
    object("authentication", secret_authentication, "How they are asked for.").required(),
};
inline constexpr Shape secret_access{.name = "SecretManagerAccess", .fields = secret_access_fields};

inline constexpr Field secret_manager_accesses =
    list_of("secret_manager_accesses", secret_access, "The stores of secrets that its workloads may read.").at_most(100);

void check_secret_accesses(const Value& record, Violations& violations);
void complete_secret_accesses(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
