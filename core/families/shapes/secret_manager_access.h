// Access of a cluster's workloads to the secret managers of cloud providers.
#pragma once

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view endpoint_modes[] = {"AWS_SECRET_MANAGER", "AWS_PARAMETER_STORE",
                                                      "GCP_SECRET_MANAGER"};
inline constexpr Field aws_endpoint_fields[] = {
    text("region", "AWS region of the secret store, as in `eu-west-3`.").required()};
inline constexpr Field gcp_endpoint_fields[] = {
    text("region", "Google Cloud region of the secret store, as in `europe-west9`.").required(),
    text("project_id", "ID of the Google Cloud project that contains the secret store.").required(),
};
inline constexpr Variant endpoint_variants[] = {
    {.enum_value = "AWS_SECRET_MANAGER", .fields = aws_endpoint_fields},
    {.enum_value = "AWS_PARAMETER_STORE", .fields = aws_endpoint_fields},
    {.enum_value = "GCP_SECRET_MANAGER", .fields = gcp_endpoint_fields},
};
inline constexpr Field endpoint_fields[] = {
    enumeration(
        "mode", endpoint_modes,
        "Secret store that is read: AWS Secrets Manager, AWS Systems Manager Parameter Store or Google Cloud Secret "
        "Manager.")
        .required()};
inline constexpr Shape secret_endpoint{
    .name = "SecretManagerEndpoint", .fields = endpoint_fields, .discriminator = "mode", .variants = endpoint_variants};

inline constexpr std::string_view authentication_modes[] = {"AUTOMATICALLY_CONFIGURED", "AWS_ROLE_ARN",
                                                            "AWS_STATIC_CREDENTIALS", "GCP_JSON_CREDENTIALS"};
inline constexpr Field role_authentication_fields[] = {
    text("role_arn", "ARN of the IAM role to assume, as in `arn:aws:iam::123456789012:role/secrets`.").required()};
inline constexpr Field static_authentication_fields[] = {
    text("region", "AWS region in which the access key is used.").required(),
    text("access_key", "ID of the AWS access key.").required(),
    text("secret_key",
         "Secret of the AWS access key. Never returned. Null or absent in an edit: the stored value is kept.")
        .nullable()
        .secret(),
};
inline constexpr Field json_authentication_fields[] = {text("json_credentials",
                                                            "Key file of the Google service account, as JSON. Never "
                                                            "returned. Null or absent in an edit: the stored value is "
                                                            "kept.")
                                                           .nullable()
                                                           .secret()};
inline constexpr Variant authentication_variants[] = {
    {.enum_value = "AUTOMATICALLY_CONFIGURED", .fields = {}},
    {.enum_value = "AWS_ROLE_ARN", .fields = role_authentication_fields},
    {.enum_value = "AWS_STATIC_CREDENTIALS", .fields = static_authentication_fields},
    {.enum_value = "GCP_JSON_CREDENTIALS", .fields = json_authentication_fields},
};
inline constexpr Field authentication_fields[] = {
    enumeration("mode", authentication_modes,
                "Authentication at the secret store: configured by the platform, by an IAM role, by an AWS access key, "
                "or by a Google "
                "service account.")
        .required()};
inline constexpr Shape secret_authentication{.name = "SecretManagerAuthentication",
                                             .fields = authentication_fields,
                                             .discriminator = "mode",
                                             .variants = authentication_variants};

inline constexpr Field secret_access_fields[] = {
    uuid("id",
         "ID of the access. Give the ID of an existing access to change it; an unknown ID is replaced by a new one.")
        .nullable()
        .always_present(),
    date_time("created_at", "Time of creation of the access, in UTC.").read_only().always_present(),
    date_time("updated_at", "Time of the last change of the access, in UTC.").read_only().always_present(),
    text("name", "Name of the access, unique within the cluster, 1 to 255 bytes.").required().at_least(1).at_most(255),
    object("endpoint", secret_endpoint, "Secret store that the access reads.").required(),
    object("authentication", secret_authentication,
           "Authentication at the secret store. A change of `mode` discards the stored secrets of the previous mode.")
        .required(),
};
inline constexpr Shape secret_access{.name = "SecretManagerAccess", .fields = secret_access_fields};

inline constexpr Field secret_manager_accesses =
    list_of("secret_manager_accesses", secret_access,
            "Secret stores of AWS or Google Cloud that workloads of the cluster may read, at most 100.")
        .at_most(100);

void check_secret_accesses(const Value& record, Violations& violations);
void complete_secret_accesses(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
