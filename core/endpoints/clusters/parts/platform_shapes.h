// Requests and answers about platform templates. Their members are in camel case, as the interface defines them.
#pragma once

#include <string_view>

#include "external_systems/shapes/platform_questions.h"
#include "model/field.h"

namespace orlop::platform_shapes {

inline constexpr Field resolve_fields[] = {
    open_object("profileConfig", "Values of the configuration, by name. Absent: none."),
    open_object("clusterInputs", "Values that the customer gives for the cluster, by name. Absent: none."),
    open_object("componentOutputs", "Outputs of other components, by key of the component and name. Absent: none."),
};
inline constexpr Shape resolve_request = {.name = "PlatformComponentConfigurationPreviewRequest",
                                          .fields = resolve_fields};

inline constexpr std::string_view requirement_statuses[] = {"MISSING", "READY"};
inline constexpr Field requirement_fields[] = {
    question_shapes::schema_key,
    question_shapes::schema_type,
    question_shapes::schema_required,
    question_shapes::schema_default,
    question_shapes::schema_label,
    question_shapes::schema_description,
    question_shapes::schema_sensitive,
    question_shapes::schema_constraints,
    enumeration("scope", question_shapes::input_scopes,
                "Source of the value: the configuration (`{BRAND}_PROFILE`), or the customer's inputs for the cluster.")
        .required(),
    enumeration("status", requirement_statuses, "State of the value: given or by default, or missing: a default.")
        .required(),
};
inline constexpr Shape requirement = {.name = "PlatformComponentInputRequirementResponse",
                                      .fields = requirement_fields};
inline constexpr Field violation_fields[] = {
    text("code",
         "Kind of the violation: `INVALID_TYPE`, `TOO_SMALL`, `TOO_LARGE`, `TOO_SHORT`, `TOO_LONG`, `NOT_ALLOWED` or "
         "`UNKNOWN_FIELD`.")
        .required(),
    text("fieldPath", "Path of the value in the request.").required(),
    text("message", "Reason why the value is refused: what it must be.").required(),
};
inline constexpr Shape violation = {.name = "PlatformComponentConfigurationViolationResponse",
                                    .fields = violation_fields};

inline constexpr Field resolved_component = text("componentKey", "Key of the component.").required();
inline constexpr Field resolved_fields =
    list_of("fields", question_shapes::field_schema, "Values of the component.").required();
inline constexpr Field resolved_requirements =
    list_of("requirements", requirement, "Values that must be given.").required();
inline constexpr Field resolved_bindings =
    list_of("componentBindings", question_shapes::output_binding, "Values that come from outputs of other components.")
        .required();
inline constexpr Field resolved_violations = list_of("violations", violation,
                                                     "Violations of the given values. Regular expressions are not "
                                                     "checked here, but by the tool that installs the component.")
                                                 .required();
inline constexpr Field template_resolution_fields[] = {resolved_component, resolved_fields, resolved_requirements,
                                                       resolved_bindings, resolved_violations};
inline constexpr Shape template_resolution = {.name = "PlatformComponentConfigurationResolutionResponse",
                                              .fields = template_resolution_fields};
inline constexpr Field binding_resolution_fields[] = {uuid("clusterId", "ID of the cluster.").required(),
                                                      resolved_component,
                                                      resolved_fields,
                                                      resolved_requirements,
                                                      resolved_bindings,
                                                      resolved_violations};
inline constexpr Shape binding_resolution = {.name = "PlatformComponentConfigurationPreviewResponse",
                                             .fields = binding_resolution_fields};

inline constexpr Field binding_key =
    text("templateKey", "Key of the platform template.").required().at_least(1).at_most(255);
inline constexpr Field binding_version =
    text("templateVersion", "Version of the template.").required().at_least(1).at_most(255);
inline constexpr Field binding_request_fields[] = {
    binding_key,
    binding_version,
    open_object("layerSelections",
                "Layers that are installed (true) or left out (false), by key. Others are as the template has them."),
    open_object("managedConfig", "Values of the components, by key of the component and name."),
    open_object("customerProvidedInputs",
                "Values that the customer gives for the cluster, texts, by key of the component and name."),
};
inline constexpr Shape binding_request = {.name = "ClusterPlatformBindingRequest", .fields = binding_request_fields};
inline constexpr std::string_view layer_statuses[] = {"ENABLED", "DISABLED", "SKIPPED"};
inline constexpr Field layer_fields[] = {
    text("key", "Key of the layer.").required(),
    enumeration("status", layer_statuses,
                "State of the layer on the cluster. `SKIPPED`: it is not for clusters of this mode and cloud provider.")
        .required(),
    text("reason", "Reason of the status.").required(),
    list_of("componentKeys", FieldKind::text, "Keys of the components of the layer.").required(),
};
inline constexpr Shape layer = {.name = "ClusterPlatformBindingLayerResponse", .fields = layer_fields};
inline constexpr Field binding_answer_fields[] = {
    uuid("clusterId", "ID of the cluster.").required(),
    uuid("organizationId", "ID of the organization.").required(),
    binding_key,
    binding_version,
    open_object("layerSelections", "Layers that are installed or left out, by key.").required(),
    open_object("managedConfig", "Values of the components, without those that are sensitive.").required(),
    open_object("customerProvidedInputs", "Values that the customer has given, without those that are sensitive.")
        .required(),
    list_of("layers", layer, "Layers of the template.").required(),
};
inline constexpr Shape binding_answer = {.name = "ClusterPlatformBindingResponse", .fields = binding_answer_fields};

}  // namespace orlop::platform_shapes
