// Questions about the sources of services: commits of git repositories, images, charts.
#pragma once

#include <string_view>

#include "external_systems/shapes/git_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Field service_organization = uuid("organization_id", "ID of the organization.").required();
inline constexpr Field service_id = uuid("service_id", "ID of the service.").required();
inline constexpr Field git_root_path = text("root_path", "Folder of the repository that the service uses. Empty: `/`.");

// ---- Commits
inline constexpr Field commits_input_fields[] = {
    service_organization,
    service_id,
    git_provider.required(),
    git_url.required(),
    git_branch,
    git_root_path,
    git_secret,
    text("start_id", "Commit to begin with, the newest of the answer. Empty: the head of the branch."),
    text("git_commit_id", "Commit that the answer must be limited to. Empty: no limit."),
};
inline constexpr Shape commits_input = {.fields = commits_input_fields};
inline constexpr Field commit_fields[] = {
    date_time("created_at", "Time of the commit.").required(),
    text("git_commit_id", "Hash of the commit.").required(),
    text("tag", "Tag of the commit. Empty: none.").required(),
    text("message", "Message of the commit.").required(),
    text("author_name", "Name of the author.").required(),
    text("author_avatar_url", "URL of a picture of the author."),
    text("commit_page_url", "URL of the commit's page at the git provider."),
};
inline constexpr Shape commit = {.name = "Commit", .fields = commit_fields};
inline constexpr Field eks_anywhere_commits = list_of("answer", commit, "Commits of the repository, the newest first.");
inline constexpr Field commits = list_of("answer", commit, "Commits of the branch, the newest first.");

inline constexpr Field contributors_input_fields[] = {service_organization, service_id, git_provider.required(),
                                                      git_url.required(),   git_branch, git_secret};
inline constexpr Shape contributors_input = {.fields = contributors_input_fields};
inline constexpr Field contributor_fields[] = {
    text("first_name", "First name of the contributor."),
    text("last_name", "Last name of the contributor."),
    text("email", "Email address of the contributor."),
    uri("profile_picture_url", "URL of a picture of the contributor."),
};
inline constexpr Shape contributor = {.name = "User", .fields = contributor_fields};
inline constexpr Field contributors = list_of("answer", contributor, "Authors of the commits of the branch.");

// ---- Images
inline constexpr Field registry_fields[] = {
    uuid("id", "ID of the registry or repository.").required(),
    text("name", "Name of the registry or repository.").required(),
    text("kind", "Kind, such as `ECR`, `DOCKER_HUB` or `HTTPS`.").required(),
    text("url", "URL. Empty: that of the kind."),
    open_object("config", "Credentials as they were given, secrets included."),
    boolean("skip_tls_verification", "Skip verification of the TLS certificate. Only of helm repositories."),
};
inline constexpr Shape registry = {.fields = registry_fields};

inline constexpr Field images_input_fields[] = {
    service_organization,
    object("registry", registry, "Container registry to read.").required(),
    text("image_name", "Name of the image whose tags are asked for. Empty: of all images."),
    text("search", "Text that names of images must contain. Empty: any."),
};
inline constexpr Shape images_input = {.fields = images_input_fields};
inline constexpr Field image_fields[] = {
    text("image_name", "Name of the image, without registry and tag."),
    list_of("versions", FieldKind::text, "Tags of the image."),
};
inline constexpr Shape image = {.name = "ContainerVersionResponse", .fields = image_fields};
inline constexpr Field images = list_of("answer", image, "Images of the registry with their tags.");

// ---- Charts
inline constexpr Field charts_input_fields[] = {
    service_organization,
    object("repository", registry, "Helm repository to read.").required(),
    text("chart_name", "Name of the chart whose versions are asked for. Empty: of all charts."),
};
inline constexpr Shape charts_input = {.fields = charts_input_fields};
inline constexpr Field chart_fields[] = {
    text("chart_name", "Name of the chart."),
    list_of("versions", FieldKind::text, "Versions of the chart, the newest first."),
};
inline constexpr Shape chart = {.name = "HelmVersionResponse", .fields = chart_fields};
inline constexpr Field charts = list_of("answer", chart, "Charts of the repository with their versions.");

// ---- Checks
inline constexpr Field check_image_input_fields[] = {
    service_organization,
    object("registry", registry, "Container registry to look into.").required(),
    text("image_name", "Name of the image, without registry and tag.").required(),
    text("tag", "Tag of the image.").required(),
};
inline constexpr Shape check_image_input = {.fields = check_image_input_fields};
inline constexpr Field image_answer =
    boolean("answer", "True if the registry has the image with this tag. False: the operation answers 400.");

inline constexpr Field check_files_input_fields[] = {
    service_organization,
    git_provider.required(),
    git_url.required(),
    git_branch,
    git_root_path,
    git_secret,
    list_of("files", FieldKind::text, "Paths of files, relative to the root path.").required(),
};
inline constexpr Shape check_files_input = {.fields = check_files_input_fields};
inline constexpr Field missing_files =
    list_of("answer", FieldKind::text,
            "Those of the paths at which the repository has no file. Not empty: the operation answers 400.");

inline constexpr Field dockerfile_input_fields[] = {
    service_organization,
    git_provider.required(),
    git_url.required(),
    git_branch,
    git_root_path,
    git_secret,
    text("dockerfile_path", "Path of the Dockerfile, relative to the root path.").required(),
};
inline constexpr Shape dockerfile_input = {.fields = dockerfile_input_fields};
inline constexpr Field dockerfile_fields[] = {
    list_of("arg", FieldKind::text, "Build arguments that the Dockerfile declares with `ARG`."),
    list_of("repositories", FieldKind::text, "Images that the Dockerfile begins its stages with (`FROM`)."),
};
inline constexpr Shape dockerfile = {.fields = dockerfile_fields};
inline constexpr Field dockerfile_answer =
    object(
        "answer", dockerfile,
        "Declarations of the Dockerfile. Null: the repository has no file at this path, and the operation answers 400.")
        .nullable();

// ---- Files
inline constexpr Field source_input_fields[] = {service_organization, git_provider.required(), git_url.required(),
                                                git_branch,           git_root_path,           git_secret};
inline constexpr Shape source_input = {.fields = source_input_fields};
inline constexpr Field terraform_variable_fields[] = {
    text("key", "Name of the variable.").required(),
    boolean("sensitive", "True if the value is secret.").required(),
    boolean("nullable", "True if the variable accepts null. Default: true.").defaults_to(true),
    text("default", "Default of the variable as text. Null: none.").nullable(),
    text("source", "Path of the file that declares the variable.").required(),
    text("description", "Description of the variable. Null: none.").nullable(),
};
inline constexpr Shape terraform_variable = {.name = "TerraformVariableDefinition",
                                             .fields = terraform_variable_fields};
inline constexpr Field terraform_variables = list_of("answer", terraform_variable, "Variables that the files declare.");

inline constexpr Field tfvars_input_fields[] = {
    service_organization,
    git_provider.required(),
    git_url.required(),
    git_branch,
    git_root_path,
    git_secret,
    list_of("paths", FieldKind::text, "Paths of the files to read. Null: find them.").nullable()};
inline constexpr Shape tfvars_input = {.fields = tfvars_input_fields};
inline constexpr Field tfvars_file_fields[] = {
    text("source", "Path of the file.").required(),
    open_object("variables", "Values of the file by the names of the variables, as texts.").required(),
};
inline constexpr Shape tfvars_file = {.name = "TfVarsFileResponse", .fields = tfvars_file_fields};
inline constexpr Field tfvars_files = list_of("answer", tfvars_file, "Files with their values.");

}  // namespace orlop::question_shapes
