// Operations on a service whatever its kind: /service/{serviceId}.
#include <string>
#include <string_view>
#include <utility>

#include "ops/verbs.h"
#include "traits/operations.h"
#include "traits/subject.h"
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

// Nothing here reaches the git provider, so that the check is impossible whatever is configured there.
Result<Answer> read_webhook_status(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(value, full_value(service.record));
  const Value* repository = repository_of(value);
  if (repository == nullptr) return invalid_field("serviceId", "must be a service that is built from a git repository");
  Writer out;
  out.begin_object().field("status", "UNABLE_TO_VERIFY");
  out.field("provider", repository->text_or("provider", "GITHUB")).end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view webhook_states[] = {"ACTIVE", "NOT_CONFIGURED", "MISCONFIGURED", "UNABLE_TO_VERIFY"};
constexpr std::string_view git_providers[] = {"GITHUB", "GITLAB", "BITBUCKET"};
constexpr Field webhook_fields[] = {
    word("status", webhook_states, "Whether the repository tells of its events."),
    word("provider", git_providers, "Who hosts the repository."),
    list_of("missing_events", FieldKind::text, "The events that are not configured, when the status is MISCONFIGURED."),
};
constexpr Shape webhook_status = {.name = "GitWebhookStatusResponse", .fields = webhook_fields};

constexpr Operation operations[] = {
    {.path = "/service/{serviceId}/gitWebhookStatus",
     .name = "get_service_git_webhook_status",
     .handle = read_webhook_status,
     .form = AnswerForm::shape,
     .answer = &webhook_status,
     .about = "Whether the service's git repository tells of its events."},
};

}  // namespace

std::span<const Operation> service_operations() { return operations; }

}  // namespace orlop
