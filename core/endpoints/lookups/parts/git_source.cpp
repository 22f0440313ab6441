#include "endpoints/lookups/parts/git_source.h"

#include "records/git_secret.h"

namespace orlop {

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
