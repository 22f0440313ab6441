#include "families/shapes/services/git_repository.h"

#include <string>

#include "model/git_address.h"

namespace orlop::shapes {

void check_git_repository(const Value& repository, std::string_view path, Violations& violations) {
  const std::string_view url = repository.text_or("url", "");
  if (!check_no_password(url, member_path(path, "url"), "a git token", violations)) return;
  const GitAddress address = parse_git_address(url);
  if (!address.host.empty() && !address.owner.empty() && !address.name.empty()) return;
  refuse(violations, member_path(path, "url"),
         "must be an address like https://host/owner/name.git, not " + quoted(url));
}

void complete_git_repository(Value& repository, const Value* previous, ValidationContext& context) {
  const GitAddress address = parse_git_address(repository.text_or("url", ""));
  const std::string owner(address.owner);
  const std::string name(address.name);
  const std::string_view guessed = git_provider_of(address.host);
  const auto token_id = id_of(repository, "git_token_id");
  const Value* token = token_id ? context.find("git_token", *token_id) : nullptr;
  set_absent(repository, "provider", token != nullptr ? Value(token->text_or("type", guessed)) : Value(guessed));
  set_absent(repository, "branch", Value("main"));
  repository.set("owner", Value(owner));
  repository.set("name", Value(name));
  repository.set("has_access", Value(true));
  if (token != nullptr) {
    repository.set("git_token_name", Value(token->text_or("name", "")));
  } else {
    repository.erase("git_token_name");
  }
  const bool is_same = previous != nullptr && previous->text_or("url", "") == repository.text_or("url", "");
  for (const std::string_view member :
       {"deployed_commit_id", "deployed_commit_date", "deployed_commit_contributor", "deployed_commit_tag"}) {
    if (is_same) {
      keep_from(repository, previous, {member});
    } else {
      repository.erase(member);
    }
  }
}

}  // namespace orlop::shapes
