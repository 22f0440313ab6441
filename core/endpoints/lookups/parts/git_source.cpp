#include "endpoints/lookups/parts/git_source.h"

#include "records/git_secret.h"

namespace orlop {

const Value* git_repository_of(const Value& service) {
  for (const Value* found :
       {service.find("git_repository"), service.find_path({"source", "docker", "git_repository"}),
        service.find_path({"source", "git", "git_repository"}), service.find_path({"source", "git_repository"}),
        service.find_path({"terraform_files_source", "git", "git_repository"}),
        service.find_path({"terraform_files_source", "git_repository"})}) {
    if (found != nullptr && found->is_object()) return found;
  }
  return nullptr;
}

Result<void> add_git_provider(Unit& unit, const Value& repository, Value& input) {
  const auto git_token = parse_id(repository.text_or("git_token_id", ""));
  ORLOP_TRY(secret, git_secret_of(unit, git_token.value_or(Id{})));
  input.add("provider", Value(repository.text_or("provider", "GITHUB")));
  input.add("url", Value(repository.text_or("url", "")));
  input.add("token", Value(std::move(secret)));
  return {};
}

Result<void> add_git_branch(Unit& unit, const Value& repository, Value& input) {
  ORLOP_CHECK(add_git_provider(unit, repository, input));
  input.add("branch", Value(repository.text_or("branch", "")));
  input.add("root_path", Value(repository.text_or("root_path", "")));
  return {};
}

}  // namespace orlop
