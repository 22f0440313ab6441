// Questions about git repositories.
#pragma once

#include <array>
#include <string_view>

#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr std::string_view git_providers[] = {"BITBUCKET", "GITHUB", "GITLAB"};
inline constexpr Field git_provider = enumeration("provider", git_providers, "Git provider that hosts the repository.");
inline constexpr Field git_url = text("url", "URL of the git repository.");
inline constexpr Field git_secret = text("token",
                                         "Secret of the git token to read the repository with. Empty: none; the "
                                         "repository is public, or the external system has credentials of its own.");
inline constexpr Field git_branch = text("branch", "Branch of the repository. Empty: its default branch.");
inline constexpr Field asking_organization =
    uuid("organization_id", "ID of the organization. Null: the caller asks for a personal account.").nullable();
inline constexpr Field asking_caller = text("caller", "Name of the caller, as the audit log shows it.");

// ---- Webhooks
inline constexpr Field webhook_input_fields[] = {git_provider.required(), git_url.required(), git_secret};
inline constexpr Shape webhook_input = {.fields = webhook_input_fields};
inline constexpr Field webhook_events =
    list_of("answer", FieldKind::text,
            "Events that the repository's webhook of the platform is configured for, in the provider's spelling, such "
            "as `push`. Null: the repository has no such "
            "webhook.")
        .at_most(1000)
        .nullable();

// ---- Accounts and repositories
inline constexpr Field account_input_fields[] = {asking_organization, asking_caller.required()};
inline constexpr Shape account_input = {.fields = account_input_fields};
inline constexpr Field git_account_fields[] = {
    text("id", "ID of the account at the git provider."),
    text("name", "Name of the git provider, such as `GITHUB`.").required(),
    text("owner", "User or organization at the git provider that owns the account.").required(),
    boolean("use_bot",
            "True if the platform acts with an application of the provider, such as a GitHub App, and not with a "
            "user's account."),
};
inline constexpr Shape git_account = {.name = "GitAuthProvider", .fields = git_account_fields};
inline constexpr Field git_accounts = list_of("answer", git_account, "Accounts at git providers that are connected.");

inline constexpr Field repositories_input_fields[] = {asking_organization, asking_caller.required(),
                                                      git_provider.required(), git_secret};
inline constexpr Shape repositories_input = {.fields = repositories_input_fields};
inline constexpr Field repository_fields[] = {
    text("id", "ID of the repository at the git provider.").required(),
    text("name", "Full name of the repository, such as `acme/shop`.").required(),
    text("url", "URL to clone the repository from.").required(),
    text("default_branch", "Branch that is used where none is named."),
    boolean("is_private", "True if reading the repository needs credentials."),
};
inline constexpr Shape repository = {.name = "GitRepository", .fields = repository_fields};
inline constexpr Field repositories = list_of("answer", repository, "Repositories that the credentials can read.");

inline constexpr Field branches_input_fields[] = {
    asking_organization, asking_caller.required(), git_provider.required(), git_secret,
    text("repository", "Full name of the repository, such as `acme/shop`. Empty: the request named none.")};
inline constexpr Shape branches_input = {.fields = branches_input_fields};
inline constexpr Field branch_fields[] = {text("name", "Name of the branch.").required()};
inline constexpr Shape branch = {.name = "GitRepositoryBranch", .fields = branch_fields};
inline constexpr Field branches = list_of("answer", branch, "Branches of the repository.");

}  // namespace orlop::question_shapes
