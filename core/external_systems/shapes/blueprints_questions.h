// Questions about the tag of a single blueprint.
#pragma once

#include "external_systems/shapes/catalogs_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Field blueprint_tag =
    text("tag", "Tag of the blueprint, as in the catalogue, such as `aws/postgresql/16/1.2.0`.")
        .required()
        .at_least(1)
        .at_most(255);
inline constexpr Field blueprint_input_fields[] = {service_organization, blueprint_environment, blueprint_tag};
inline constexpr Shape blueprint_input = {.fields = blueprint_input_fields};

inline constexpr std::string_view blueprint_engines[] = {"terraform", "opentofu", "helm"};
inline constexpr Field blueprint_engine_fields[] = {
    enumeration("type", blueprint_engines, "Tool that deploys the blueprint.").required(),
    text("version", "Version of the tool that is used unless another one is chosen.").required(),
    integer("timeout", "Time after which a run of the tool fails, in seconds. Default: 600.")
        .at_least(1)
        .defaults_to(600),
    text("cpu", "CPU of the container in which the tool runs, in thousandths of a core. Default: `500`.")
        .defaults_to("500"),
    text("ram", "Memory of that container, in MiB. Default: `512`.").defaults_to("512"),
    text("storage", "Disk of that container, in GiB. Default: `1`.").defaults_to("1"),
};
inline constexpr Shape blueprint_engine = {.name = "BlueprintEngine", .fields = blueprint_engine_fields};
inline constexpr Field new_version_fields[] = {
    text("service_version", "Major version of the service.").required(),
    text("latest_tag", "Latest tag of the blueprint for this version.").required(),
};
inline constexpr Shape new_major_version = {.name = "BlueprintUpdateNewMajorVersion", .fields = new_version_fields};
inline constexpr Field found_blueprint_fields[] = {
    uri("catalog_url", "URL of the blueprint in its catalogue.").required(),
    uri("repository_url", "URL of the git repository that holds the blueprint.").required(),
    text("branch", "Branch or tag of the repository. Default: `main`.").defaults_to("main"),
    text("root_path", "Directory of the blueprint in the repository. Default: `/`.").defaults_to("/"),
    text("latest_tag", "Latest tag of the blueprint for the same major version of the service.").required(),
    list_of("new_major_versions", new_major_version, "Later major versions of the service."),
    list_of("variables", manifest_field, "Variables of the blueprint.").required(),
    object("engine", blueprint_engine, "Tool that deploys the blueprint, with its defaults.").required(),
};
inline constexpr Shape found_blueprint_shape = {.name = "FoundBlueprint", .fields = found_blueprint_fields};
inline constexpr Field found_blueprint =
    object("answer", found_blueprint_shape, "The blueprint of the tag. Null: no blueprint has it.").nullable();

}  // namespace orlop::question_shapes
