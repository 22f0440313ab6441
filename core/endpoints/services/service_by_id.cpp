// Operations on services of every kind: /service/{serviceId}.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/lookups/parts/git_source.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "records/ask_later.h"
#include "records/record_value.h"
#include "releases/find_git_repository.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::services::service_by_id {
namespace {

// Events that a repository's webhook must send, by git provider: pushes for deployments, pull requests for previews.
struct RequiredEvents {
  std::string_view provider;
  std::span<const std::string_view> events;
};
constexpr std::string_view github_events[] = {"push", "pull_request"};
constexpr std::string_view gitlab_events[] = {"push_events", "merge_requests_events"};
constexpr std::string_view bitbucket_events[] = {"repo:push", "pullrequest:created", "pullrequest:updated",
                                                 "pullrequest:fulfilled", "pullrequest:rejected"};
constexpr RequiredEvents required_events[] = {
    {"GITHUB", github_events}, {"GITLAB", gitlab_events}, {"BITBUCKET", bitbucket_events}};
constexpr std::string_view every_event = "*";  // GitHub's name for all events

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

std::string_view webhook_state_of(bool is_there, bool lacks_events) {
  if (!is_there) return "NOT_CONFIGURED";
  return lacks_events ? "MISCONFIGURED" : "ACTIVE";
}

// `events`: events of the webhook; null if none.
Answer describe_webhook(std::string_view provider, const Value& events) {
  std::vector<std::string> configured;
  for (const Value& event : events.items()) configured.push_back(event.as_text());
  const auto missing = events.is_list() ? missing_events(provider, configured) : std::vector<std::string_view>();
  Writer out;
  out.begin_object().field("status", webhook_state_of(events.is_list(), !missing.empty())).field("provider", provider);
  if (!missing.empty()) {
    out.key("missing_events").begin_list();
    for (const std::string_view event : missing) out.value(event);
    out.end_list();
  }
  out.end_object();
  return {200, std::move(out).take()};
}

// If the git provider is not asked or fails, the answer is this status instead of an error.
Answer unable_to_verify(std::string_view provider) {
  Writer out;
  out.begin_object().field("status", "UNABLE_TO_VERIFY").field("provider", provider).end_object();
  return {200, std::move(out).take()};
}

Result<Answer> ask_for_webhook(Unit& unit, const Call& call, Question question) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(value, full_value(service.record));
  const Value* repository = find_git_repository(value);
  if (repository == nullptr) return invalid_field("serviceId", "must be a service that is built from a git repository");
  const std::string provider(repository->text_or("provider", "GITHUB"));
  Value input = Value::object();
  ORLOP_CHECK(add_git_provider(unit, *repository, input));
  Answer answer =
      ask_later(unit, {.question = question, .input = std::move(input), .reply = [provider](const Value& events) {
                         return Result<Answer>(describe_webhook(provider, events));
                       }});
  if (question == Question::sync_webhook) return answer;
  answer.ask = [ask = std::move(answer.ask), provider]() -> Result<Answer> {
    auto described = ask();
    return described ? std::move(described) : Result<Answer>(unable_to_verify(provider));
  };
  return answer;
}

Result<Answer> read_webhook_status(Unit& unit, const Call& call) {
  return ask_for_webhook(unit, call, Question::find_webhook);
}
Result<Answer> sync_webhook(Unit& unit, const Call& call) {
  return ask_for_webhook(unit, call, Question::sync_webhook);
}

constexpr std::string_view webhook_states[] = {"ACTIVE", "NOT_CONFIGURED", "MISCONFIGURED", "UNABLE_TO_VERIFY"};
constexpr std::string_view git_providers[] = {"GITHUB", "GITLAB", "BITBUCKET"};
constexpr Field webhook_fields[] = {
    enumeration("status", webhook_states, "State of the webhook in the git repository, as the git provider reports it.")
        .required(),
    enumeration("provider", git_providers, "Git provider that hosts the repository.").required(),
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
     .about = "Says whether the repository sends the required events.",
     .asks = Question::find_webhook},
    {.method = Method::post,
     .path = "/service/{serviceId}/gitWebhook/sync",
     .name = "sync_service_git_webhook",
     .handle = sync_webhook,
     .form = AnswerForm::shape,
     .answer = &webhook_status,
     .summary = "Create or correct the git webhook of a service",
     .about = "400: the service is not built from git.",
     .need = Level::operate,
     .asks = Question::sync_webhook},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::service_by_id
