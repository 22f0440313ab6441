// Questions about the platform's installation on clusters: platform templates, Helm values, the operators of all
// clusters.
#pragma once

#include <string_view>

#include "base/brand.h"
#include "external_systems/shapes/logs_questions.h"
#include "external_systems/shapes/operators_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

// ---- Platform templates. Members are in camel case, as in the interface.
inline constexpr std::string_view platform_modes[] = {branded_names::managed_mode, "CUSTOMER_MANAGED"};
inline constexpr std::string_view platform_vendors[] = {"AWS",  "SCW",     "GCP",    "DO",  "AZURE",  "OVH",
                                                        "CIVO", "HETZNER", "ORACLE", "IBM", "UNKNOWN"};
inline constexpr std::string_view release_statuses[] = {"DRAFT", "PUBLISHED", "DEPRECATED"};
inline constexpr std::string_view component_kinds[] = {"HELM", "TERRAFORM"};
inline constexpr std::string_view value_types[] = {"string", "number", "bool"};
inline constexpr std::string_view input_scopes[] = {branded_names::profile_scope, "CLUSTER"};

inline constexpr Field constraint_fields[] = {
    list_of("allowedValues", FieldKind::text, "Values that are allowed. Absent: any."),
    integer("min", "Least value of a number.").nullable(),
    integer("max", "Greatest value of a number.").nullable(),
    integer("minLength", "Least length of a string in bytes.").nullable(),
    integer("maxLength", "Greatest length of a string in bytes.").nullable(),
    text("pattern", "Regular expression that a string must match.").nullable(),
};
inline constexpr Shape constraints = {.name = "FieldSchemaConstraintsResponse", .fields = constraint_fields};
inline constexpr Field schema_key = text("key", "Name of the value.").required();
inline constexpr Field schema_type = enumeration("type", value_types, "Type of the value.").required();
inline constexpr Field schema_required = boolean("required", "True if a value must be given.").required();
inline constexpr Field schema_default = text("defaultValue", "Value that is used where none is given.").nullable();
inline constexpr Field schema_label = text("label", "Display name of the value.").required();
inline constexpr Field schema_description = text("description", "Purpose of the value.").nullable();
inline constexpr Field schema_sensitive = boolean("sensitive", "True if the value is a secret.").required();
inline constexpr Field schema_constraints = object("constraints", constraints, "Bounds of the value.").required();
inline constexpr Field schema_fields[] = {schema_key,   schema_type,        schema_required,  schema_default,
                                          schema_label, schema_description, schema_sensitive, schema_constraints};
inline constexpr Shape field_schema = {.name = "FieldSchemaResponse", .fields = schema_fields};
// As in a template. The catalog's responses do not have the scope.
inline constexpr Field scoped_schema_fields[] = {
    schema_key,
    schema_type,
    schema_required,
    schema_default,
    schema_label,
    schema_description,
    schema_sensitive,
    schema_constraints,
    enumeration("scope", input_scopes,
                "Source of the value: the configuration of the binding (`{BRAND}_PROFILE`), or the inputs that the "
                "customer gives for the cluster. "
                "Default: `{BRAND}_PROFILE`.")
        .defaults_to("{BRAND}_PROFILE"),
};
inline constexpr Shape scoped_schema = {.name = "PlatformComponentField", .fields = scoped_schema_fields};
inline constexpr Field output_binding_fields[] = {
    text("input", "Name of the value that is taken from another component.").required(),
    text("fromComponent", "Key of that component.").required(),
    text("output", "Name of its output.").required(),
};
inline constexpr Shape output_binding = {.name = "PlatformComponentOutputBindingResponse",
                                         .fields = output_binding_fields};
inline constexpr Field component_key = text("key", "Key of the component.").required();
inline constexpr Field component_kind =
    enumeration("kind", component_kinds, "Tool that installs the component.").required();
inline constexpr Field component_description = text("description", "Purpose of the component.").nullable();
inline constexpr Field asked_component_fields[] = {
    component_key,
    component_kind,
    component_description,
    list_of("fields", scoped_schema, "Values of the component.").required(),
    list_of("bindings", output_binding, "Values that come from outputs of other components. Default: none.")
        .defaults_to_empty(),
};
inline constexpr Shape asked_component = {.name = "PlatformComponent", .fields = asked_component_fields};
inline constexpr Field shown_component_fields[] = {
    component_key, component_kind, component_description,
    list_of("fields", field_schema, "Values of the component.").required()};
inline constexpr Shape shown_component = {.name = "PlatformTemplateComponentResponse",
                                          .fields = shown_component_fields};

inline constexpr Field layer_key = text("key", "Key of the layer.").required();
inline constexpr Field layer_mandatory = boolean("mandatory", "True if the layer cannot be left out.").required();
inline constexpr Field layer_default =
    boolean("enabledByDefault", "True if the layer is installed unless it is left out.").required();
inline constexpr Field layer_modes =
    enumeration_list("modes", platform_modes, "Modes of clusters that the layer is for.").required();
inline constexpr Field layer_providers =
    enumeration_list("providers", platform_vendors, "Cloud providers that the layer is for. Absent: all.");
inline constexpr Field layer_description = text("description", "Purpose of the layer.").nullable();
inline constexpr Field asked_layer_fields[] = {
    layer_key,
    layer_mandatory,
    layer_default,
    layer_modes,
    layer_providers,
    layer_description,
    list_of("components", asked_component, "Components of the layer.").required()};
inline constexpr Shape asked_layer = {.name = "PlatformLayer", .fields = asked_layer_fields};
inline constexpr Field shown_layer_fields[] = {
    layer_key,
    layer_mandatory,
    layer_default,
    layer_modes,
    layer_providers,
    list_of("componentKeys", FieldKind::text, "Keys of the components of the layer.").required(),
    list_of("components", shown_component, "Components of the layer.").required(),
    layer_description};
inline constexpr Shape shown_layer = {.name = "PlatformTemplateLayerResponse", .fields = shown_layer_fields};
inline constexpr Field template_key = text("key", "Key of the template.").required();
inline constexpr Field template_version = text("version", "Version of the template.").required();
inline constexpr Field template_status = enumeration("status", release_statuses, "State of the release.").required();
inline constexpr Field template_description = text("description", "Purpose of the template.").nullable();
inline constexpr Field asked_template_fields[] = {template_key, template_version, template_status, template_description,
                                                  list_of("layers", asked_layer, "Layers of the template.").required()};
inline constexpr Shape asked_template = {.name = "PlatformTemplate", .fields = asked_template_fields};
inline constexpr Field shown_template_fields[] = {template_key, template_version, template_status, template_description,
                                                  list_of("layers", shown_layer, "Layers of the template.").required()};
inline constexpr Shape shown_template = {.name = "PlatformTemplateSummaryResponse", .fields = shown_template_fields};
inline constexpr Field platform_templates =
    list_of("answer", asked_template, "Templates that the organization can use.");

// ---- The values of an installation
inline constexpr Field installation_values = text("answer", "Helm values as YAML.").required().at_most(1 << 20);

// ---- The operators of all clusters
inline constexpr std::string_view fleet_kinds[] = {"EKS_SELF_MANAGED", "SCW_SELF_MANAGED", "GKE_SELF_MANAGED",
                                                   "AKS_SELF_MANAGED", "SELF_MANAGED"};
inline constexpr Field fleet_fields[] = {
    uuid("organization_id", "ID of the organization.").required(),
    uuid("cluster_id", "ID of the cluster.").required(),
    text("cluster_name", "Name of the cluster.").required(),
    enumeration("cluster_kind", fleet_kinds, "Kind of the cluster.").required(),
    boolean("attached", "True if the operator is attached to the platform.").required(),
    boolean("connected", "True if the operator is connected with the platform.").required(),
    date_time("last_heartbeat", "Time of the operator's last sign of life. Null: none.").nullable(),
    text("desired_image_version", "Version of the image that it is to run.").nullable(),
    text("reported_image_version", "Version of the image that it has reported.").nullable(),
    text("desired_chart_version", "Version of the chart that it is to be installed with.").nullable(),
    text("reported_chart_version", "Version of the chart that it has reported.").nullable(),
    enumeration("status", operator_statuses, "State of the operator and the versions that it is to have.").required(),
};
inline constexpr Shape fleet_cluster = {.name = "ClusterOperatorFleetInventoryResponse", .fields = fleet_fields};
inline constexpr Field operator_fleet = list_of("answer", fleet_cluster, "Clusters with an operator.");

}  // namespace orlop::question_shapes
