// A git repository as the source of a service. The caller sets address, branch and folder; the engine adds the rest.
#pragma once

#include <array>

#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"

namespace orlop::shapes {

constexpr auto make_git_repository_fields(Field provider) {
  return std::array{
      uri("url",
          "HTTPS URL of the git repository, with host, owner and name and without a password, as in "
          "`https://github.com/acme/api.git`.")
          .required(),
      text("branch",
           "Branch to deploy from. Default: the default branch of the repository, where external systems answer "
           "`list_repositories`; else `main`.")
          .empty_is_absent()
          .always_present(),
      text("root_path",
           "Folder of the repository that serves as root; other paths are relative to it. Default: `/`, the whole "
           "repository.")
          .defaults_to("/"),
      reference("git_token_id", "git_token",
                "ID of the git token that gives access to the repository. Null: public repository, no token.")
          .nullable(),
      provider,
      text("owner", "Owner of the repository, taken from the URL.").read_only().always_present(),
      text("name", "Name of the repository, taken from the URL.").read_only().always_present(),
      boolean("has_access", "True if the platform can read the repository.").read_only().always_present(),
      text("deployed_commit_id",
           "ID of the commit that was deployed last. Absent before the first deployment and after a change of the "
           "URL.")
          .read_only(),
      date_time("deployed_commit_date", "Time of the commit that was deployed last.").read_only(),
      text("deployed_commit_contributor", "Author of the commit that was deployed last.").read_only(),
      text("deployed_commit_tag", "Git tag of the commit that was deployed last.").read_only(),
      text("git_token_name", "Name of the git token. Null or absent: no token.").nullable().read_only(),
  };
}

inline constexpr Field git_provider = enumeration("provider", git_providers,
                                                  "Git provider that hosts the repository. Default: the provider of "
                                                  "the git token, else derived from the host name in the "
                                                  "URL.")
                                          .always_present();
inline constexpr auto git_repository_fields = make_git_repository_fields(git_provider.required());
inline constexpr Shape git_repository{.name = "ApplicationGitRepository", .fields = git_repository_fields};

// Git repository with an optional provider. Default: the token's provider, else the one that the address suggests.
inline constexpr auto guessed_git_repository_fields = make_git_repository_fields(git_provider);
inline constexpr Shape guessed_git_repository{.name = "GitRepository", .fields = guessed_git_repository_fields};

// `path` is the path of the repository in the body.
void check_git_repository(const Value& repository, std::string_view path, Violations& violations);
void complete_git_repository(Value& repository, const Value* previous, ValidationContext& context);

}  // namespace orlop::shapes
