// A git repository that something is built or read from. The caller gives address, branch and folder; the engine adds what
// it knows of it.
#pragma once

#include <array>

#include "families/shapes/rules.h"
#include "families/shapes/enumerations.h"

namespace orlop::shapes {

constexpr auto make_git_repository_fields(Field provider) {
  return std::array{
      uri("url", "Its address; the path names its owner and itself.").required(),
      text("branch", "The branch to use. Default: `main`.").empty_is_absent().always_present(),
      text("root_path", "The folder to work in.").defaults_to("/"),
      reference("git_token_id", "git_token", "The token that gives access; null for a public repository.").nullable(),
      provider,
      text("owner", "Its owner, taken from the address.").read_only(),
      text("name", "Its name, taken from the address.").read_only(),
      boolean("has_access", "Whether the platform can read it.").read_only(),
      text("deployed_commit_id", "The commit that was deployed last.").read_only(),
      date_time("deployed_commit_date", "When that commit was made.").read_only(),
      text("deployed_commit_contributor", "Who made that commit.").read_only(),
      text("deployed_commit_tag", "The tag of that commit.").read_only(),
      text("git_token_name", "The name of the token.").nullable().read_only(),
  };
}

inline constexpr Field git_provider = enumeration("provider", git_providers, "Who hosts it.");
inline constexpr auto git_repository_fields = make_git_repository_fields(git_provider.required());
inline constexpr Shape git_repository{.name = "ApplicationGitRepository", .fields = git_repository_fields};

// The same where the provider may be left out: the token's provider then, else the one that the address suggests.
inline constexpr auto guessed_git_repository_fields = make_git_repository_fields(git_provider);
inline constexpr Shape guessed_git_repository{.name = "GitRepository", .fields = guessed_git_repository_fields};

// `path` is where the repository lies in the body.
void check_git_repository(const Value& repository, std::string_view path, Violations& violations);
void complete_git_repository(Value& repository, const Value* previous, ValidationContext& context);

}  // namespace orlop::shapes
