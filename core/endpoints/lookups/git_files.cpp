// Files of a git repository that a request names, before a service is created from it. External systems answer.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/lookups/parts/git_source.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/verbs.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::git_files {
namespace {

// Returns the organization in the path, or that of the environment in the path.
Result<Id> organization_of(Unit& unit, const Call& call) {
  ORLOP_TRY(record, unit.record(call.ids.front()));
  const Family* family = record ? find_family(record->family) : nullptr;
  const bool is_expected = family != nullptr && (family->name == "organization" || family->name == "environment");
  if (!is_expected) return not_found("resource", call.ids.front());
  return record->organization;
}

// Returns the common input of questions about a repository. The git token must belong to the organization.
Result<Value> source_input(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, organization_of(unit, call));
  const Value& repository = *call.body->find("git_repository");
  if (const auto git_token = id_in(repository, "git_token_id"))
    ORLOP_CHECK(require_near(unit, "git_token", *git_token, organization));
  Value input(Value::Object{{"organization_id", Value(to_text(organization))}});
  ORLOP_CHECK(add_git_branch(unit, repository, input));
  return input;
}

Answer no_fault() { return {200, "{}"}; }

std::string listed(const Value& texts) {
  std::string list;
  for (const Value& text : texts.items()) list.append(list.empty() ? "" : ", ").append(text.as_text());
  return list;
}

Result<Answer> ask_for_files(Unit& unit, const Call& call, Value files, std::string_view field) {
  ORLOP_TRY(input, source_input(unit, call));
  input.add("files", std::move(files));
  return ask_later(unit, {.question = Question::find_missing_files,
                          .input = std::move(input),
                          .reply = [field = std::string(field)](const Value& missing) {
                            if (missing.items().empty()) return Result<Answer>(no_fault());
                            return Result<Answer>(invalid_field(
                                field, "must name files of the repository; it has no " + listed(missing)));
                          }});
}

Result<Answer> check_files(Unit& unit, const Call& call) {
  return ask_for_files(unit, call, *call.body->find("files"), "files");
}

Result<Answer> check_chart(Unit& unit, const Call& call) {
  return ask_for_files(unit, call, Value(Value::List{Value("Chart.yaml")}), "git_repository");
}

Result<Answer> check_dockerfile(Unit& unit, const Call& call) {
  ORLOP_TRY(input, source_input(unit, call));
  const std::string path(call.body->text_or("dockerfile_path", ""));
  input.add("dockerfile_path", Value(path));
  return ask_later(
      unit, {.question = Question::read_dockerfile, .input = std::move(input), .reply = [path](const Value& found) {
               if (found.is_null())
                 return Result<Answer>(invalid_field(
                     "dockerfile_path", "must be the path of a file of the repository, not \"" + path + "\""));
               Value answer(Value::Object{{"dockerfile_path", Value(path)}});
               for (const Member& member : found.members()) answer.add(member.name, member.value);
               return Result<Answer>(Answer{200, to_json(answer)});
             }});
}

Result<Answer> list_variables(Unit& unit, const Call& call) {
  ORLOP_TRY(input, source_input(unit, call));
  return ask_later(unit, {.question = Question::list_terraform_variables, .input = std::move(input)});
}

Result<Answer> list_tfvars(Unit& unit, const Call& call) {
  const Value* paths = call.body->find_path({"mode", "paths"});
  const bool has_paths = paths != nullptr && !paths->items().empty();
  if (!has_paths && call.body->find("mode")->text_or("type", "") == "SpecificPaths")
    return invalid_field("mode.paths", "is required for SpecificPaths");
  ORLOP_TRY(input, source_input(unit, call));
  input.add("paths", has_paths ? *paths : Value());
  return ask_later(unit, {.question = Question::list_tfvars_files, .input = std::move(input)});
}

// The body itself describes the repository.
Result<Answer> list_directories(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, organization_of(unit, call));
  if (const auto git_token = id_in(*call.body, "git_token_id"))
    ORLOP_CHECK(require_near(unit, "git_token", *git_token, organization));
  Value input(Value::Object{{"organization_id", Value(to_text(organization))}});
  ORLOP_CHECK(add_git_branch(unit, *call.body, input));
  return ask_later(unit, {.question = Question::list_directories, .input = std::move(input)});
}

Result<Answer> list_terraform_versions(Unit& unit, const Call&) {
  return ask_later(unit, {.question = Question::list_terraform_versions});
}

constexpr Field repository_to_read_fields[] = {
    uri("url", "HTTPS URL of the git repository, as in `https://github.com/acme/api.git`.").required(),
    text("branch", "Branch to read. Default: the default branch of the repository.").empty_is_absent(),
    text("root_path", "Folder of the repository that other paths are relative to. Default: `/`, the whole repository.")
        .defaults_to("/"),
    reference("git_token_id", "git_token",
              "ID of the git token that gives access to the repository. Null: public repository, no token.")
        .nullable(),
    enumeration("provider", question_shapes::git_providers, "Git provider that hosts the repository.").required(),
    text("owner", "Owner of the repository. Ignored: the URL names it."),
    text("name", "Name of the repository. Ignored: the URL names it."),
};
constexpr Shape repository_to_read = {.name = "GitRepositoryToRead", .fields = repository_to_read_fields};
constexpr Field repository = object("git_repository", repository_to_read, "Git repository to read.").required();
constexpr Field dockerfile_fields[] = {
    repository,
    text("dockerfile_path", "Path of the Dockerfile, relative to the root path of the repository.").required()};
constexpr Shape dockerfile_check = {.name = "DockerfileCheckRequest", .fields = dockerfile_fields};
constexpr Field dockerfile_answer_fields[] = {
    text("dockerfile_path", "Path of the Dockerfile.").required(),
    list_of("arg", FieldKind::text, "Build arguments that the Dockerfile declares with `ARG`."),
    list_of("repositories", FieldKind::text, "Images that the Dockerfile begins its stages with (`FROM`)."),
};
constexpr Shape dockerfile = {.name = "DockerfileCheckResponse", .fields = dockerfile_answer_fields};
constexpr Field file_fields[] = {
    repository, list_of("files", FieldKind::text, "Paths of the files, relative to the root path of the repository.")
                    .at_most(1000)
                    .required()};
constexpr Shape file_check = {.name = "GitFileCheckRequest", .fields = file_fields};
constexpr Field repository_fields[] = {repository};
constexpr Shape chart_check = {.name = "HelmCheckRequest", .fields = repository_fields};
constexpr Shape variable_request = {.name = "TerraformVariableParsingRequest", .fields = repository_fields};
constexpr std::string_view tfvars_modes[] = {"AutoDiscover", "SpecificPaths"};
constexpr Field mode_fields[] = {
    enumeration("type", tfvars_modes,
                "`AutoDiscover`: find all `.tfvars` files. `SpecificPaths`: read the files that `paths` names.")
        .required(),
    list_of("paths", FieldKind::text, "Paths of the files. Required for `SpecificPaths`.").at_most(1000),
};
constexpr Shape mode = {.name = "TfVarsDiscoveryMode", .fields = mode_fields};
constexpr Field tfvars_fields[] = {repository, object("mode", mode, "Files to read.").required()};
constexpr Shape tfvars_request = {.name = "TfVarsListRequest", .fields = tfvars_fields};
constexpr Field directory_fields[] = {
    list_of("results", FieldKind::text, "Paths of the directories, relative to the root path.").required()};
constexpr Shape directories = {.name = "GitDirectoryResponseList", .fields = directory_fields};
constexpr Shape file_answer = {.name = "GitFileCheckResponse"};
constexpr Shape chart_answer = {.name = "HelmCheckResponse"};

constexpr Operation posting(std::string_view path, std::string_view name, Handler handle, const Shape& body,
                            AnswerForm form, const Shape* answer, std::string_view summary, std::string_view about,
                            Question question) {
  return {.method = Method::post,
          .path = path,
          .name = name,
          .handle = handle,
          .body = &body,
          .is_body_required = true,
          .form = form,
          .answer = answer,
          .summary = summary,
          .about = about,
          .asks = question};
}

constexpr std::string_view not_there = "400: it is not there.";

constexpr Operation operations[] = {
    posting("/environment/{environmentId}/checkDockerfile", "check_dockerfile", check_dockerfile, dockerfile_check,
            AnswerForm::shape, &dockerfile, "Check that a git repository has a Dockerfile", not_there,
            Question::read_dockerfile),
    posting("/environment/{environmentId}/checkGitFile", "check_git_file", check_files, file_check, AnswerForm::shape,
            &file_answer, "Check that a git repository has files", not_there, Question::find_missing_files),
    posting("/environment/{environmentId}/checkHelmRepository", "check_helm_repository", check_chart, chart_check,
            AnswerForm::shape, &chart_answer, "Check that a git repository has a Helm chart", not_there,
            Question::find_missing_files),
    posting("/organization/{organizationId}/parseTerraformVariablesFromGitRepo",
            "parse_terraform_variables_from_git_repo", list_variables, variable_request, AnswerForm::shape_list,
            &question_shapes::terraform_variable,
            "List the variables that the Terraform files of a git repository declare", "",
            Question::list_terraform_variables),
    posting("/organization/{organizationId}/listDirectoriesFromGitRepository", "list_directories_from_git_repository",
            list_directories, repository_to_read, AnswerForm::shape, &directories,
            "List the directories of a git repository", "", Question::list_directories),
    posting("/organization/{organizationId}/listTfVarsFilesFromGitRepo", "list_tf_vars_files_from_git_repo",
            list_tfvars, tfvars_request, AnswerForm::shape_list, &question_shapes::tfvars_file,
            "List the tfvars files of a git repository with their values", "", Question::list_tfvars_files),
    {.path = "/terraform/availableVersion",
     .name = "list_terraform_versions",
     .handle = list_terraform_versions,
     .form = AnswerForm::shape_list,
     .answer = &question_shapes::terraform_version,
     .summary = "List the versions of Terraform and OpenTofu that services can use",
     .asks = Question::list_terraform_versions},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::git_files
