// Commits and contributors of the git repository that a service is built from. External systems answer.
#include <string_view>
#include <utility>

#include "endpoints/lookups/parts/git_source.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "records/record_value.h"
#include "releases/find_git_repository.h"
#include "unit/operation.h"

namespace orlop::operation_sets::lookups::commits {
namespace {

// Members of all questions about the repository of a service.
Result<Value> service_input(const Subject& subject) {
  return Value(Value::Object{{"organization_id", Value(to_text(subject.record.organization))},
                             {"service_id", Value(to_text(subject.record.id))}});
}

Error has_no_repository() {
  return invalid_field("serviceId", "must be a service that is built from a git repository");
}

Result<Answer> ask_for_commits(Unit& unit, const Call& call, const Subject& subject, const Value* repository) {
  if (repository == nullptr) return has_no_repository();
  ORLOP_TRY(input, service_input(subject));
  ORLOP_CHECK(add_git_branch(unit, *repository, input));
  input.add("start_id", Value(query_text(call, "startId")));
  input.add("git_commit_id", Value(query_text(call, "gitCommitId")));
  return ask_later(unit, {.question = Question::list_commits, .input = std::move(input)});
}

Result<Answer> list_commits(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(service, full_value(subject.record));
  return ask_for_commits(unit, call, subject, find_git_repository(service));
}

// The repository is the chart's, or that of the values that override the chart's.
Result<Answer> list_helm_commits(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(service, full_value(subject.record));
  const bool is_of_values = query_text(call, "of") == "values";
  return ask_for_commits(unit, call, subject,
                         is_of_values ? service.find_path({"values_override", "file", "git", "git_repository"})
                                      : find_git_repository(service));
}

Result<Answer> list_contributors(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(service, full_value(subject.record));
  const Value* repository = find_git_repository(service);
  if (repository == nullptr) return has_no_repository();
  ORLOP_TRY(input, service_input(subject));
  ORLOP_CHECK(add_git_provider(unit, *repository, input));
  input.add("branch", Value(repository->text_or("branch", "")));
  return ask_later(unit, {.question = Question::list_contributors, .input = std::move(input)});
}

constexpr Field commit_query[] = {
    text("startId", "Commit to begin with, the newest of the answer. Default: the head of the branch."),
    text("gitCommitId", "Hash of the only commit to return. Default: all."),
};
constexpr std::string_view helm_sources[] = {"chart", "values"};
constexpr Field helm_query[] = {
    enumeration("of", helm_sources,
                "Repository to read: that of the chart, or that of the values file. Default: `chart`.")
        .defaults_to("chart"),
};

constexpr Operation commits(Handler handle, std::span<const Field> query) {
  return {.path = "{flat}/commit",
          .name = "list_{family}_commits",
          .handle = handle,
          .query = query,
          .form = AnswerForm::shape_list,
          .answer = &question_shapes::commit,
          .summary = "List the commits of the git repository of {one}",
          .about = "400: the service is not built from git.",
          .asks = Question::list_commits};
}

constexpr auto commit_kinds =
    static_cast<std::uint8_t>(static_cast<int>(ServiceKind::application) | static_cast<int>(ServiceKind::job));

constexpr KindOperation operations[] = {
    {.kinds = commit_kinds, .operation = commits(list_commits, commit_query)},
    {.kinds = static_cast<std::uint8_t>(ServiceKind::terraform), .operation = commits(list_commits, {})},
    {.kinds = static_cast<std::uint8_t>(ServiceKind::helm), .operation = commits(list_helm_commits, helm_query)},
    {.kinds = static_cast<std::uint8_t>(ServiceKind::application),
     .operation = {.path = "{flat}/contributor",
                   .name = "list_{family}_contributors",
                   .handle = list_contributors,
                   .form = AnswerForm::shape_list,
                   .answer = &question_shapes::contributor,
                   .summary = "List the contributors to the git repository of {one}",
                   .about = "400: the service is not built from git.",
                   .asks = Question::list_contributors}},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = all_services,
    .operations_by_kind = operations,
};

}  // namespace orlop::operation_sets::lookups::commits
