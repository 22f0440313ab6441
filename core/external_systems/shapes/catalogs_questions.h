// Questions about the catalogs of a platform, blueprints and lifecycle templates, and about its reports.
#pragma once

#include <string_view>

#include "external_systems/shapes/clouds_questions.h"
#include "external_systems/shapes/services_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

// ---- Blueprints
inline constexpr Field organization_input_fields[] = {service_organization};
inline constexpr Shape organization_input = {.fields = organization_input_fields};
inline constexpr Field blueprint_version_fields[] = {
    text("serviceVersion", "Major version of the service, such as `16`.").required(),
    text("latestTag", "Latest tag of the blueprint for this version.").required(),
};
inline constexpr Shape blueprint_version = {.name = "BlueprintMajorVersion", .fields = blueprint_version_fields};
inline constexpr Field blueprint_item_fields[] = {
    text("name", "Display name of the blueprint.").required(),
    text("kind", "Kind of the blueprint, such as `ServiceBlueprint`.").required(),
    text("description", "Purpose of the blueprint.").required(),
    uri("icon", "URL of the icon.").required(),
    list_of("categories", FieldKind::text, "Categories of the blueprint, such as `database`.").required(),
    text("provider", "Cloud provider of the service that the blueprint makes.").required(),
    text("serviceFamily", "Family of the service, such as `postgresql`.").required(),
    list_of("majorVersions", blueprint_version, "Major versions of the service.").required(),
};
inline constexpr Shape blueprint_item = {.name = "BlueprintItem", .fields = blueprint_item_fields};
inline constexpr Field blueprint_catalog_fields[] = {
    text("version", "Version of the catalogue.").required(),
    date_time("generatedAt", "Time at which the catalogue was made.").required(),
    list_of("blueprints", blueprint_item, "Blueprints of the catalogue.").required(),
};
inline constexpr Shape blueprint_catalog = {.name = "BlueprintCatalogResponse", .fields = blueprint_catalog_fields};
inline constexpr Field blueprint_catalog_answer =
    object("answer", blueprint_catalog, "Catalogue of blueprints that the organization can use.").required();

inline constexpr Field blueprint_environment =
    uuid("environment_id", "ID of the environment for which values are proposed.").required();
inline constexpr Field blueprint_provider =
    text("provider", "Cloud provider of the blueprint, as in the catalogue.").required().at_least(1).at_most(255);
inline constexpr Field blueprint_family =
    text("service_family", "Family of the service, as in the catalogue.").required();
inline constexpr Field blueprint_service_version =
    text("service_version", "Major version of the service, as in the catalogue.").required();
inline constexpr Field blueprint_manifest_input_fields[] = {
    service_organization, blueprint_environment, blueprint_provider, blueprint_family, blueprint_service_version};
inline constexpr Shape blueprint_manifest_input = {.fields = blueprint_manifest_input_fields};
inline constexpr Field blueprint_readme_input_fields[] = {service_organization, blueprint_provider, blueprint_family,
                                                          blueprint_service_version};
inline constexpr Shape blueprint_readme_input = {.fields = blueprint_readme_input_fields};

inline constexpr std::string_view manifest_types[] = {"string", "bool", "number"};
inline constexpr Field manifest_type_fields[] = {
    enumeration("type", manifest_types, "Type of the value.").required(),
    text("pattern", "Regular expression that a string must match.").nullable(),
    integer("min_length", "Least length of a string.").nullable(),
    integer("max_length", "Greatest length of a string.").nullable(),
    integer("min", "Least value of a number.").nullable(),
    integer("max", "Greatest value of a number.").nullable(),
};
inline constexpr Shape manifest_type = {.name = "BlueprintManifestFieldType", .fields = manifest_type_fields};
inline constexpr std::string_view manifest_kinds[] = {"variable", "contextVariable"};
inline constexpr Field manifest_common_fields[] = {
    enumeration("kind", manifest_kinds,
                "Origin of the value: the user (`variable`) or the platform (`contextVariable`).")
        .required(),
    text("name", "Name of the variable.").required(),
};
inline constexpr Field manifest_variable_fields[] = {
    object("type", manifest_type, "Type and bounds of the value.").required(),
    boolean("required", "True if a value must be given.").required(),
    boolean("is_secret", "True if the value is a secret.").required(),
    text("description", "Purpose of the variable."),
    list_of("allowed_values", FieldKind::text, "Values that are allowed. Absent: any."),
    text("default_value", "Value that is used where none is given.").nullable(),
};
inline constexpr Field manifest_context_fields[] = {
    text("source", "Source from which the platform takes the value.").nullable(),
    text("value", "Value in the environment of the question.").nullable(),
};
inline constexpr Variant manifest_variants[] = {{"variable", manifest_variable_fields},
                                                {"contextVariable", manifest_context_fields}};
inline constexpr Shape manifest_field = {.name = "BlueprintManifestEntry",
                                         .fields = manifest_common_fields,
                                         .discriminator = "kind",
                                         .variants = manifest_variants};
inline constexpr Field blueprint_manifest_fields[] = {
    list_of("results", manifest_field, "Variables of the blueprint.").required(),
    open_object("engine",
                "Engine that deploys the blueprint: its `type` is `terraform`, `opentofu` or `helm`, beside the "
                "versions, credentials and resources that can be chosen."),
};
inline constexpr Shape manifest_shape = {.name = "BlueprintManifestResponse", .fields = blueprint_manifest_fields};
inline constexpr Field blueprint_manifest =
    object("answer", manifest_shape, "Variables and engine of the blueprint.").required();
inline constexpr Field readme_fields[] = {
    text("content", "Text of the README, in Markdown.").required().at_most(1 << 20),
    uri("repository_url", "URL of the repository that holds the blueprint.").required(),
};
inline constexpr Shape readme_shape = {.name = "BlueprintReadmeResponse", .fields = readme_fields};
inline constexpr Field blueprint_readme = object("answer", readme_shape, "README of the blueprint.").required();

// ---- Lifecycle templates
inline constexpr Field templates_input_fields[] = {
    service_organization,
    uuid("environment_id", "ID of the environment.").required(),
    text("cloud_provider", "Cloud provider of the environment's cluster, such as `AWS`.").required(),
};
inline constexpr Shape templates_input = {.fields = templates_input_fields};
inline constexpr std::string_view template_providers[] = {"AWS", "SCW", "GCP", "ON_PREMISE", "AZURE"};
inline constexpr Field template_event_fields[] = {
    text("name", "Event of the environment: `START`, `STOP` or `DELETE`.").required(),
    text("entrypoint", "Entrypoint of the job at this event."),
    list_of("command", FieldKind::text, "Command of the job at this event.").required(),
};
inline constexpr Shape template_event = {.name = "LifecycleTemplateEvent", .fields = template_event_fields};
inline constexpr Field template_resource_fields[] = {
    integer("cpu_milli", "CPU in thousandths of a core.").required(),
    integer("ram_mib", "Memory in MiB.").required(),
};
inline constexpr Shape template_resources = {.name = "LifecycleTemplateResources", .fields = template_resource_fields};
inline constexpr Field template_file_fields[] = {
    text("path", "Path at which the value is mounted as a file.").required(),
    boolean("enable_interpolation", "Replace references to other variables in the value. Default: false.")
        .defaults_to(false),
};
inline constexpr Shape template_file = {.name = "LifecycleTemplateFile", .fields = template_file_fields};
inline constexpr Field template_variable_fields[] = {
    text("name", "Name of the variable.").required(),
    text("description", "Purpose of the variable.").required(),
    text("default", "Value that is proposed.").required(),
    boolean("is_secret", "True if the value is a secret.").required(),
    object("file", template_file, "File as which the value is mounted. Absent: an environment variable."),
};
inline constexpr Shape template_variable = {.name = "LifecycleTemplateVariable", .fields = template_variable_fields};
inline constexpr Field template_fields[] = {
    uuid("id", "ID of the template.").required(),
    text("name", "Name of the template.").required(),
    text("description", "Purpose of the template.").required(),
    uri("sourceUrl", "URL of the template's source.").required(),
    enumeration("cloud_provider", template_providers, "Cloud provider for which the template is.").required(),
    list_of("events", template_event, "Actions of the job at the events of its environment.").required(),
    integer("max_duration_in_sec", "Time that the job has at each event, in seconds.").required(),
    object("resources", template_resources, "Resources of the job.").required(),
    list_of("variables", template_variable, "Variables of the job.").required(),
    text("dockerfile", "Dockerfile of the job's image.").required(),
};
inline constexpr Shape lifecycle_template = {.name = "LifecycleTemplateResponse", .fields = template_fields};
inline constexpr Field lifecycle_templates =
    list_of("answer", lifecycle_template, "Templates of lifecycle jobs for the cloud provider.");

// ---- Reports
inline constexpr Field report_expiration =
    integer("report_expiration_in_seconds", "Time for which the report can be downloaded, in seconds, 1 to 31,536,000.")
        .required()
        .at_least(1)
        .at_most(31'536'000);
inline constexpr Field build_report_input_fields[] = {
    service_organization,
    uuid("environment_id", "ID of the environment.").required(),
    text("execution_id", "Execution ID of the deployment, as in its history.").required(),
    report_expiration,
};
inline constexpr Shape build_report_input = {.fields = build_report_input_fields};
inline constexpr Field billing_report_input_fields[] = {
    service_organization,
    date_time("from", "Begin of the range.").required(),
    date_time("to", "End of the range.").required(),
    report_expiration,
};
inline constexpr Shape billing_report_input = {.fields = billing_report_input_fields};
inline constexpr Field report_fields[] = {
    uri("report_url", "URL of the report."),
    uri("delete_report_url", "URL that deletes the report."),
};
inline constexpr Shape build_report = {.name = "DeploymentBuildUsageReportResponse", .fields = report_fields};
inline constexpr Shape billing_report = {.name = "OrganizationBillingUsageReportResponse", .fields = report_fields};
inline constexpr Field build_report_answer = object("answer", build_report, "Address of the report.").required();
inline constexpr Field billing_report_answer = object("answer", billing_report, "Address of the report.").required();

}  // namespace orlop::question_shapes
