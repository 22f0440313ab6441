// The questions of orlop_external_systems (ports.h): their names, the members of their input, a JSON object, and their answer. Generated from
// core/externals/questions.def: do not edit. docs/reference/external-systems.md describes each member.
#ifndef ORLOP_QUESTIONS_H
#define ORLOP_QUESTIONS_H

// Read the events of the webhook by which a git repository informs the platform of pushes and pull requests.
// Input: `provider` (text, required), `url` (text, required), `token` (text).
// Answer: list of texts or null. Events that the repository's webhook of the platform is configured for, in the provider's spelling, such
// as `push`. Null: the repository has no such webhook.
// If it is not answered: the status of the webhook is `UNABLE_TO_VERIFY`.
#define ORLOP_QUESTION_FIND_WEBHOOK "find_webhook"

// List the accounts at git providers that are connected to an organization, or to the caller.
// Input: `organization_id` (UUID or null), `caller` (text, required).
// Answer: list of objects. Accounts at git providers that are connected. Members: `id` (text), `name` (text, required), `owner` (text,
// required), `use_bot` (boolean).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_GIT_ACCOUNTS "list_git_accounts"

// List the repositories of a git provider that the credentials can read.
// Input: `organization_id` (UUID or null), `caller` (text, required), `provider` (text, required), `token` (text).
// Answer: list of objects. Repositories that the credentials can read. Members: `id` (text, required), `name` (text, required), `url`
// (text, required), `default_branch` (text), `is_private` (boolean).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_REPOSITORIES "list_repositories"

// List the branches of a git repository.
// Input: `organization_id` (UUID or null), `caller` (text, required), `provider` (text, required), `token` (text), `repository` (text).
// Answer: list of objects. Branches of the repository. Members: `name` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_BRANCHES "list_branches"

// List the commits of the branch that a service is built from.
// Input: `organization_id` (UUID, required), `service_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch`
// (text), `root_path` (text), `token` (text), `start_id` (text), `git_commit_id` (text).
// Answer: list of objects. Commits of the branch, the newest first. Members: `created_at` (RFC 3339 time, required), `git_commit_id` (text,
// required), `tag` (text, required), `message` (text, required), `author_name` (text, required), `author_avatar_url` (text),
// `commit_page_url` (text).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_COMMITS "list_commits"

// List the authors of the commits of the branch that a service is built from.
// Input: `organization_id` (UUID, required), `service_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch`
// (text), `token` (text).
// Answer: list of objects. Authors of the commits of the branch. Members: `first_name` (text), `last_name` (text), `email` (text),
// `profile_picture_url` (URI).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_CONTRIBUTORS "list_contributors"

// List the images of a container registry with their tags.
// Input: `organization_id` (UUID, required), `registry` (object, required), `image_name` (text), `search` (text).
// Answer: list of objects. Images of the registry with their tags. Members: `image_name` (text), `versions` (list of texts).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_IMAGES "list_images"

// List the charts of a helm repository with their versions.
// Input: `organization_id` (UUID, required), `repository` (object, required), `chart_name` (text).
// Answer: list of objects. Charts of the repository with their versions. Members: `chart_name` (text), `versions` (list of texts).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_CHARTS "list_charts"

// Identify the person that a token authenticates, such as the JWT of an identity provider. Asked for tokens that the engine did not issue.
// Input: `token` (text, required), `at` (RFC 3339 time, required).
// Answer: object or null. The person. Null: the token is not valid, and the request is refused with 401. Members: `subject` (text,
// required), `email` (text), `name` (text).
// If it is not answered: tokens of people are refused with 401.
#define ORLOP_QUESTION_AUTHENTICATE "authenticate"

// Evaluate the policy of an API token, such as one of Open Policy Agent, for a request.
// Input: `policy` (text, required), `method` (text, required), `path` (text, required), `token` (text, required), `role` (text, required),
// `organization_id` (UUID, required).
// Answer: boolean. True if the policy allows the request.
// If it is not answered: a token that is bound to a policy is refused everything with 403.
#define ORLOP_QUESTION_EVALUATE_POLICY "evaluate_policy"

// Allow or deny a change, or a deployment, before it is made. Asked about requests that would be accepted, before each of them, and outside
// of any transaction; an answer cannot alter the request.
// Input: `operation` (text, required), `method` (text, required), `path` (text, required), `organization_id` (UUID or null), `caller`
// (object, required), `resource` (object or null), `body` (JSON or null), `deployment` (object or null).
// Answer: object. The decision. Members: `allowed` (boolean, required), `reason` (text).
// If it is not answered: every change is admitted.
#define ORLOP_QUESTION_ADMIT "admit"

#endif
