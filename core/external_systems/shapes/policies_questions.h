// Questions about the identity and permissions of a caller.
#pragma once

#include <string_view>

#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Field authenticate_input_fields[] = {
    text("token", "Token of the request's `Authorization` header.").required(),
    date_time("at", "Time of the engine, at which the token must be valid.").required(),
};
inline constexpr Shape authenticate_input = {.fields = authenticate_input_fields};
inline constexpr Field sign_in_fields[] = {
    uuid("organization_id", "ID of the organization of the enterprise connection.").required(),
    text("connection_name", "Name of the enterprise connection.").required().at_least(1).at_most(255),
    list_of("groups", FieldKind::text, "Groups of the person at the identity provider, at most 10,000.")
        .required()
        .at_most(10'000),
};
inline constexpr Shape sign_in_shape = {.fields = sign_in_fields};
inline constexpr Field identity_fields[] = {
    text("subject", "Identifier that no two people share and that never changes, such as the `sub` claim of a JWT.")
        .at_least(1)
        .at_most(255)
        .required(),
    text("email", "Email address. Empty: unknown.").at_most(255),
    text("name", "Display name. Empty: the email address, or the subject.").at_most(255),
    object("enterprise_connection", sign_in_shape,
           "Enterprise connection by which the person has signed in: its mappings of groups give the person a role in "
           "the organization. "
           "Absent or null: none.")
        .nullable(),
};
inline constexpr Shape identity_shape = {.fields = identity_fields};
inline constexpr Field identity =
    object("answer", identity_shape, "The person. Null: the token is not valid, and the request is refused with 401.")
        .nullable();

inline constexpr Field policy_input_fields[] = {
    text("policy", "Policy that the API token is bound to, such as a Rego package.").required(),
    text("method", "HTTP method of the request.").required(),
    text("path", "Path of the request without its query.").required(),
    text("token", "Name of the API token.").required(),
    text("role", "Name of the token's role.").required(),
    uuid("organization_id", "ID of the token's organization.").required(),
};
inline constexpr Shape policy_input = {.fields = policy_input_fields};
inline constexpr std::string_view caller_kinds[] = {"HOST", "USER", "TOKEN"};
inline constexpr Field caller_fields[] = {
    enumeration("kind", caller_kinds,
                "`HOST`: the program that embeds the engine. `USER`: a person. `TOKEN`: an API token.")
        .required(),
    text("name", "Name of the caller, as the audit log shows it.").required(),
    text("email", "Email address of a person. Empty: unknown."),
};
inline constexpr Shape admission_caller = {.fields = caller_fields};
inline constexpr Field resource_fields[] = {
    text("family", "Family of the resource, such as `container`.").required(),
    uuid("id", "ID of the resource.").required(),
    text("name", "Name of the resource. Empty: it has none."),
};
inline constexpr Shape admission_resource = {.fields = resource_fields};
inline constexpr Field deployment_fields[] = {
    uuid("environment_id", "ID of the environment.").required(),
    text("action", "Action of the deployment: `DEPLOY`, `RESTART`, `STOP` or `DELETE`.").required(),
    boolean("whole_environment", "True if the deployment covers every service of the environment.").required(),
    list_of("service_ids", FieldKind::id, "IDs of the services, if it covers a selection.").required(),
};
inline constexpr Shape admission_deployment = {.fields = deployment_fields};
inline constexpr Field admit_input_fields[] = {
    text("operation", "ID of the operation, such as `deploy_environment`.").required(),
    text("method", "HTTP method of the request.").required(),
    text("path", "Path of the request without its query.").required(),
    uuid("organization_id", "ID of the organization. Null: the request creates one.").nullable(),
    object("caller", admission_caller, "Caller that asks for the change.").required(),
    object("resource", admission_resource,
           "Last resource of the path: the one that changes, or the parent of a new one. Null: none.")
        .nullable(),
    any("body", "Body of the request without its secrets. Null: none.").nullable(),
    object("deployment", admission_deployment, "Deployment that the request queues. Null: none.").nullable(),
};
inline constexpr Shape admit_input = {.fields = admit_input_fields};
inline constexpr Field admission_fields[] = {
    boolean("allowed", "False denies the change; the request is refused with 403.").required(),
    text("reason", "Reason of a denial, one sentence for the caller. Default: a sentence of the engine."),
};
inline constexpr Shape admission_shape = {.fields = admission_fields};
inline constexpr Field admission =
    object("answer", admission_shape, "Decision of the external systems about the change.");

inline constexpr Field policy_answer = boolean("answer", "True if the policy allows the request.");

}  // namespace orlop::question_shapes
