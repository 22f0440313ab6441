// Roll-back of a service and of an environment: deploys the configuration of an earlier release as a new one.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/request/request_parts.h"
#include "deploy/request/rollback_order.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/deploy_body.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_action.h"
#include "releases/release_records.h"
#include "unit/find_record.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::releases::rollback {
namespace {

constexpr Field service_body_fields[] = {
    integer(
        "release",
        "Number of the release to roll back to. Absent: the newest one if the service does not run it, else the one "
        "before it.")
        .at_least(1),
};
constexpr Shape service_body = {.name = "RollbackRequest", .fields = service_body_fields};

constexpr Field environment_body_fields[] = {
    uuid("deployment_request_id",
         "ID of a deployment request that has ended: each service gets the release that it had "
         "then.")
        .required(),
};
constexpr Shape environment_body = {.name = "EnvironmentRollbackRequest", .fields = environment_body_fields};

constexpr Field rolled_back_fields[] = {
    uuid("service_id", "ID of the service.").required(),
    integer("release", "Number of the release whose configuration is deployed.").required(),
    list_of("not_rolled_back", FieldKind::text, "Sentences on data that stay as they are.").required(),
};
constexpr Shape rolled_back_service = {.name = "RolledBackService", .fields = rolled_back_fields};
constexpr Field answer_fields[] = {
    uuid("deployment_request_id", "ID of the deployment request. Null: every service runs its release already.")
        .nullable()
        .required(),
    list_of("services", rolled_back_service, "Services that are rolled back.").required(),
};
constexpr Shape answer_shape = {.name = "Rollback", .fields = answer_fields};

// Returns a sentence on the data that a deployment of an earlier configuration does not bring back; "" if none.
Result<std::string_view> stays_of(Unit& unit, const Id& id) {
  using namespace std::string_view_literals;
  ORLOP_TRY(service, require_service(unit, id));
  if (service.family->service_kind == "DATABASE") return "the data of the database stays as it is"sv;
  if (service.family->service_kind == "TERRAFORM")
    return "the state of Terraform stays as it is: the configuration is applied to it"sv;
  ORLOP_TRY(body, unit.value_of(service.record));
  const Value* const storage = body->find("storage");
  return storage != nullptr && !storage->items().empty() ? "the contents of the storage stay as they are"sv : ""sv;
}

Result<Answer> answer_with(Unit& unit, const Id& request, const std::vector<RollbackTarget>& targets) {
  Writer out;
  out.begin_object();
  if (request.is_nil()) out.field_null("deployment_request_id");
  else out.field("deployment_request_id", request);
  out.key("services").begin_list();
  for (const RollbackTarget& target : targets) {
    out.begin_object().field("service_id", target.service).field("release", std::int64_t{target.release});
    out.key("not_rolled_back").begin_list();
    ORLOP_TRY(sentence, stays_of(unit, target.service));
    if (!sentence.empty()) out.value(sentence);
    out.end_list().end_object();
  }
  out.end_list().end_object();
  return Answer{202, std::move(out).take()};
}

Result<std::uint32_t> release_for(Unit& unit, const Call& call, const Id& service) {
  const std::int64_t given = call.body == nullptr ? 0 : call.body->integer_or("release", 0);
  if (given > UINT32_MAX) return no_release(service, given);
  if (given != 0) return static_cast<std::uint32_t>(given);
  ORLOP_TRY(newest, newest_release(unit, service));
  const std::uint32_t last = newest.runs ? newest.number - 1 : newest.number;
  if (last != 0) return last;
  return make_error(ErrorCode::conflict, newest.number == 0
                                             ? "the service has no release: no deployment of it has succeeded"
                                             : "the service has no release before the one that it runs");
}

Result<void> require_releases(const Unit& unit) {
  if (unit.settings().releases_kept.value_or(0) != 0) return {};
  return make_error(ErrorCode::conflict, "nothing can be rolled back: the option releases_kept is 0");
}

Result<Answer> roll_back_service(Unit& unit, const Call& call) {
  ORLOP_CHECK(require_releases(unit));
  ORLOP_TRY(service, require_service(unit, call.ids[0]));
  ORLOP_TRY(release, release_for(unit, call, service.record.id));
  ORLOP_CHECK(configuration_of_release(unit, service.record.id, release));
  const std::vector<RollbackTarget> targets = {{service.record.id, release}};
  ORLOP_TRY(request, enqueue(unit, rollback_order(service.record.parent, targets, call.author)));
  return answer_with(unit, request, targets);
}

Result<void> require_ended(Unit& unit, const Id& environment, const Id& request) {
  ORLOP_TRY(record, unit.record(request));
  if (!record || record->family != deployment_request_number || record->parent != environment)
    return invalid_field("deployment_request_id",
                         "must be a deployment request of the environment; " + to_text(request) + " is not");
  ORLOP_TRY(machine, require_machine(unit, request));
  if (!is_unfinished(machine)) return {};
  return make_error(ErrorCode::conflict, "the deployment request " + to_text(request) + " has not ended");
}

Result<Answer> roll_back_environment(Unit& unit, const Call& call) {
  ORLOP_CHECK(require_releases(unit));
  ORLOP_TRY(environment, require_environment(unit, call));
  const Id given = parse_id(call.body->text_or("deployment_request_id", "")).value_or(Id{});
  ORLOP_CHECK(require_ended(unit, environment.id, given));
  ORLOP_TRY(targets, targets_after(unit, environment.id, given));
  if (targets.empty()) return answer_with(unit, Id{}, targets);
  ORLOP_TRY(request, enqueue(unit, rollback_order(environment.id, targets, call.author)));
  return answer_with(unit, request, targets);
}

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "/service/{serviceId}/rollback",
     .name = "rollback_service",
     .status = 202,
     .access = Access::write,
     .handle = roll_back_service,
     .body = &service_body,
     .form = AnswerForm::shape,
     .answer = &answer_shape,
     .summary = "Roll a service back to an earlier release",
     .about =
         "Deploys the configuration of the release as a new one: image, commit, and variables with their secrets as "
         "they were. The configuration of the service itself stays: the service is then `OUT_OF_DATE`, and its next "
         "deployment deploys that. 404: the release is not kept. 409: the service has no such release, or the state "
         "of the service does not allow a deployment.",
     .need = Level::operate},
    {.method = Method::post,
     .path = "/environment/{environmentId}/rollback",
     .name = "rollback_environment",
     .status = 202,
     .access = Access::write,
     .handle = roll_back_environment,
     .body = &environment_body,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &answer_shape,
     .summary = "Roll an environment back to a deployment",
     .about =
         "Deploys each service with the release that it had when the deployment request ended. Services that run it "
         "already, and those that had none, stay as they are. 409: the request has not ended.",
     .need = Level::operate},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::releases::rollback
