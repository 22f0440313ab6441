// Operations on a service whatever its kind: /service/{serviceId}.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/port.h"
#include "ops/verbs.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// The first git repository that the service is made of; nullptr if it has none.
const Value* repository_of(const Value& service) {
  for (const Value* found :
       {service.find("git_repository"), service.find_path({"source", "docker", "git_repository"}),
        service.find_path({"source", "git", "git_repository"}), service.find_path({"source", "git_repository"}),
        service.find_path({"terraform_files_source", "git", "git_repository"}),
        service.find_path({"terraform_files_source", "git_repository"})}) {
    if (found != nullptr && found->is_object()) return found;
  }
  return nullptr;
}

// The events without which the platform misses something that happens in a repository, by the names of each provider: what is
// pushed is deployed, what is proposed is previewed.
struct RequiredEvents {
  std::string_view provider;
  std::span<const std::string_view> events;
};
constexpr std::string_view github_events[] = {"push", "pull_request"};
constexpr std::string_view gitlab_events[] = {"push_events", "merge_requests_events"};
constexpr std::string_view bitbucket_events[] = {"repo:push", "pullrequest:created", "pullrequest:updated", "pullrequest:fulfilled",
                                                 "pullrequest:rejected"};
constexpr RequiredEvents required_events[] = {
    {"GITHUB", github_events}, {"GITLAB", gitlab_events}, {"BITBUCKET", bitbucket_events}};
constexpr std::string_view every_event = "*";  // GitHub's name of a subscription to all events

std::vector<std::string_view> missing_events(std::string_view provider, const std::vector<std::string>& configured) {
  std::vector<std::string_view> missing;
  if (std::ranges::find(configured, every_event) != configured.end()) return missing;
  for (const RequiredEvents& required : required_events) {
    if (required.provider != provider) continue;
    std::ranges::copy_if(required.events, std::back_inserter(missing), [&](std::string_view event) {
      return std::ranges::find(configured, event) == configured.end();
    });
  }
  return missing;
}

// The secret of the git token that the repository is read with; "" if it uses none.
Result<std::string> token_of(Unit& unit, const Value& repository) {
  const auto id = parse_id(repository.text_or("git_token_id", ""));
  if (!id) return std::string();
  ORLOP_TRY(record, unit.record(*id));
  if (!record) return std::string();
  ORLOP_TRY(token, full_value(*record));
  return std::string(token.text_or("token", ""));
}

// What is asked of the git provider. Texts of its own: it outlives the transaction that it was read in.
struct HookQuestion {
  GitProvider* git_provider = nullptr;
  std::string provider;
  std::string url;
  std::string token;
};

// An absent or failing port has no result: that is an answer, not an error.
RepositoryHook ask_git_provider(const HookQuestion& question) {
  if (question.git_provider == nullptr) return {};
  auto found = question.git_provider->find_hook({question.provider, question.url, question.token});
  return found ? std::move(*found) : RepositoryHook{};
}

std::string_view webhook_state_of(HookPresence presence, bool lacks_events) {
  switch (presence) {
    case HookPresence::unknown:
      return "UNABLE_TO_VERIFY";
    case HookPresence::absent:
      return "NOT_CONFIGURED";
    case HookPresence::present:
      return lacks_events ? "MISCONFIGURED" : "ACTIVE";
  }
  return "UNABLE_TO_VERIFY";
}

Answer describe_hook(const HookQuestion& question) {
  const RepositoryHook hook = ask_git_provider(question);
  const auto missing = missing_events(question.provider, hook.events);
  Writer out;
  out.begin_object().field("status", webhook_state_of(hook.presence, !missing.empty())).field("provider", question.provider);
  if (hook.presence == HookPresence::present && !missing.empty()) {
    out.key("missing_events").begin_list();
    for (const std::string_view event : missing) out.value(event);
    out.end_list();
  }
  out.end_object();
  return {200, std::move(out).take()};
}

Result<Answer> read_webhook_status(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(value, full_value(service.record));
  const Value* repository = repository_of(value);
  if (repository == nullptr) return invalid_field("serviceId", "must be a service that is built from a git repository");
  ORLOP_TRY(token, token_of(unit, *repository));
  HookQuestion question{unit.settings().git_provider, std::string(repository->text_or("provider", "GITHUB")),
                        std::string(repository->text_or("url", "")), std::move(token)};
  Answer answer;
  answer.ask = [question = std::move(question)] { return Result<Answer>(describe_hook(question)); };
  return answer;
}

constexpr std::string_view webhook_states[] = {"ACTIVE", "NOT_CONFIGURED", "MISCONFIGURED", "UNABLE_TO_VERIFY"};
constexpr std::string_view git_providers[] = {"GITHUB", "GITLAB", "BITBUCKET"};
constexpr Field webhook_fields[] = {
    enumeration("status", webhook_states, "State of the webhook in the git repository, as the git provider reports it."),
    enumeration("provider", git_providers, "Git provider that hosts the repository."),
    list_of("missing_events", FieldKind::text,
        "Required events that the webhook is not configured for, if the status is `MISCONFIGURED`."),
};
constexpr Shape webhook_status = {.name = "GitWebhookStatusResponse", .fields = webhook_fields};

constexpr Operation operations[] = {
    {.path = "/service/{serviceId}/gitWebhookStatus",
     .name = "get_service_git_webhook_status",
     .handle = read_webhook_status,
     .form = AnswerForm::shape,
     .answer = &webhook_status,
     .summary = "Get the status of the git webhook of a service",
     .about = "Asks the git provider of the host whether the repository sends the required events."},
};

}  // namespace

namespace operation_sets::services {
extern const OperationSet service_by_id;
constexpr OperationSet service_by_id = {
    .operations = operations,
};
}  // namespace operation_sets::services

}  // namespace orlop
