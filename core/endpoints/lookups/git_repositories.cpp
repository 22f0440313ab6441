// Repositories and branches that an organization, or a person, can read at a git provider. External systems answer.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/git_secret.h"
#include "unit/find_record.h"
#include "unit/operation.h"

namespace orlop::operation_sets::lookups::git_repositories {
namespace {

// Returns the id of the organization in the path, if any, and the caller.
Result<Value> account_of(Unit& unit, const Call& call) {
  Value input = Value::object();
  if (call.ids.empty()) {
    input.add("organization_id", Value());
  } else {
    ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
    input.add("organization_id", Value(to_text(organization.id)));
  }
  input.add("caller", Value(call.author));
  return input;
}

// Adds the provider, and the secret of the git token in the query, which must belong to the organization.
Result<Value> provider_account_of(Unit& unit, const Call& call, std::string_view provider) {
  ORLOP_TRY(input, account_of(unit, call));
  std::string secret;
  const auto git_token = parse_id(query_text(call, "gitTokenId"));
  if (git_token && !call.ids.empty()) {
    ORLOP_TRY(record, require_near(unit, "git_token", *git_token, call.ids.front()));
    ORLOP_TRY(found, git_secret_of(unit, record.id));
    secret = std::move(found);
  }
  input.add("provider", Value(provider));
  input.add("token", Value(std::move(secret)));
  return std::move(input);
}

Result<Answer> list_repositories(Unit& unit, const Call& call, std::string_view provider) {
  ORLOP_TRY(input, provider_account_of(unit, call, provider));
  return ask_later(unit, {.question = Question::list_repositories, .input = std::move(input)});
}

Result<Answer> list_branches(Unit& unit, const Call& call, std::string_view provider) {
  ORLOP_TRY(input, provider_account_of(unit, call, provider));
  input.add("repository", Value(query_text(call, "name")));
  return ask_later(unit, {.question = Question::list_branches, .input = std::move(input)});
}

Result<Answer> list_accounts(Unit& unit, const Call& call) {
  ORLOP_TRY(input, account_of(unit, call));
  return ask_later(unit, {.question = Question::list_git_accounts, .input = std::move(input)});
}

Result<Answer> github_repositories(Unit& unit, const Call& call) { return list_repositories(unit, call, "GITHUB"); }
Result<Answer> gitlab_repositories(Unit& unit, const Call& call) { return list_repositories(unit, call, "GITLAB"); }
Result<Answer> bitbucket_repositories(Unit& unit, const Call& call) {
  return list_repositories(unit, call, "BITBUCKET");
}
Result<Answer> github_branches(Unit& unit, const Call& call) { return list_branches(unit, call, "GITHUB"); }
Result<Answer> gitlab_branches(Unit& unit, const Call& call) { return list_branches(unit, call, "GITLAB"); }
Result<Answer> bitbucket_branches(Unit& unit, const Call& call) { return list_branches(unit, call, "BITBUCKET"); }

constexpr Field git_token =
    uuid("gitTokenId",
         "ID of the git token of the organization to read with. Default: the credentials of the external system.");
constexpr Field repository_name = text("name", "Full name of the repository, such as `acme/shop`.");
constexpr Field of_token[] = {git_token};
constexpr Field of_branch[] = {repository_name, git_token};
constexpr Field of_own_branch[] = {repository_name};

constexpr Operation listing(std::string_view path, std::string_view name, Handler handle, const Shape& shape,
                            std::string_view summary, Question question, std::span<const Field> query = {}) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .query = query,
          .form = AnswerForm::shape_list,
          .answer = &shape,
          .summary = summary,
          .asks = question};
}

using question_shapes::branch;
using question_shapes::git_account;
using question_shapes::repository;

constexpr std::string_view repositories_of = "List the git repositories that an account can read";
constexpr std::string_view branches_of = "List the branches of a git repository";
constexpr std::string_view accounts_of = "List the connected accounts at git providers";

constexpr Operation operations[] = {
    listing("/account/gitAuthProvider", "list_git_auth_providers", list_accounts, git_account, accounts_of,
            Question::list_git_accounts),
    listing("/account/github/repository", "list_github_repositories", github_repositories, repository, repositories_of,
            Question::list_repositories),
    listing("/account/gitlab/repository", "list_gitlab_repositories", gitlab_repositories, repository, repositories_of,
            Question::list_repositories),
    listing("/account/bitbucket/repository", "list_bitbucket_repositories", bitbucket_repositories, repository,
            repositories_of, Question::list_repositories),
    listing("/account/github/repository/branch", "list_github_branches", github_branches, branch, branches_of,
            Question::list_branches, of_own_branch),
    listing("/account/gitlab/repository/branch", "list_gitlab_branches", gitlab_branches, branch, branches_of,
            Question::list_branches, of_own_branch),
    listing("/account/bitbucket/repository/branch", "list_bitbucket_branches", bitbucket_branches, branch, branches_of,
            Question::list_branches, of_own_branch),
    listing("/organization/{organizationId}/account/gitAuthProvider", "list_organization_git_auth_providers",
            list_accounts, git_account, accounts_of, Question::list_git_accounts),
    listing("/organization/{organizationId}/account/github/repository", "list_organization_github_repositories",
            github_repositories, repository, repositories_of, Question::list_repositories, of_token),
    listing("/organization/{organizationId}/account/gitlab/repository", "list_organization_gitlab_repositories",
            gitlab_repositories, repository, repositories_of, Question::list_repositories, of_token),
    listing("/organization/{organizationId}/account/bitbucket/repository", "list_organization_bitbucket_repositories",
            bitbucket_repositories, repository, repositories_of, Question::list_repositories, of_token),
    listing("/organization/{organizationId}/account/github/repository/branch", "list_organization_github_branches",
            github_branches, branch, branches_of, Question::list_branches, of_branch),
    listing("/organization/{organizationId}/account/gitlab/repository/branch", "list_organization_gitlab_branches",
            gitlab_branches, branch, branches_of, Question::list_branches, of_branch),
    listing("/organization/{organizationId}/account/bitbucket/repository/branch",
            "list_organization_bitbucket_branches", bitbucket_branches, branch, branches_of, Question::list_branches,
            of_branch),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::git_repositories
