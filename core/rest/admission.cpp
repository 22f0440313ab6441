#include "rest/admission.h"

#include <string>
#include <utility>

#include "base/family_number.h"
#include "base/sort_unique.h"
#include "deploy/request/request_parts.h"
#include "external_systems/ask.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "model/validate.h"
#include "wire/json.h"

namespace orlop {
namespace {

Value caller_of(const Call& call) {
  const auto kind = [&] {
    switch (call.caller->kind) {
      case Caller::Kind::host: return "HOST";
      case Caller::Kind::user: return "USER";
      case Caller::Kind::token: return "TOKEN";
    }
    return "";
  };
  return Value(
      Value::Object{{"kind", Value(kind())}, {"name", Value(call.author)}, {"email", Value(call.caller->email)}});
}

Value body_of(const Route& route, const Call& call) {
  if (call.body == nullptr) return {};
  Value body = *call.body;
  if (route.operation.body != nullptr) {
    (void)split_secrets(route.operation.body->fields, body);
  } else if (route.family != nullptr) {
    (void)split_secrets(route.family->fields, body);
  }
  return body;
}

Result<Value> resource_of(const Record& record) {
  const Family* family = find_family(record.family);
  ORLOP_TRY(body, parse_stored(record.body));
  return Value(Value::Object{{"family", Value(family == nullptr ? "" : family->name)},
                             {"id", Value(to_text(record.id))},
                             {"name", Value(body.text_or("name", ""))}});
}

Result<Value> services_of_selection(Unit& unit, const RequestBody& request, std::int32_t number) {
  std::vector<Id> services = request.services;
  if (request.has_rows) {
    services = request.following;
    ORLOP_CHECK(unit.visit_machines(request.environment, 0, [&](const Machine& service) {
      const bool follows = request.has_following_rows && service.number == number && service.id != request.id;
      if (service.request == request.id || follows) services.push_back(service.id);
    }));
    sort_unique(services);
  }
  Value list = Value::list();
  for (const Id& service : services) list.append(Value(to_text(service)));
  return list;
}

// Returns the deployment that the change would queue, or null. Reads machines, because a change that is merged into a
// queued request may change only the machine of that request.
Result<Value> deployment_of(Unit& unit) {
  for (const Machine& machine : unit.changes().machines) {
    if (machine.family != deployment_request_number || !is_unfinished(machine)) continue;
    ORLOP_TRY(record, unit.record(machine.id));
    if (!record) continue;
    ORLOP_TRY(request, parse_request(record->body));
    ORLOP_TRY(services, services_of_selection(unit, request, machine.number));
    return Value(Value::Object{{"environment_id", Value(to_text(request.environment))},
                               {"action", Value(to_string(request.action))},
                               {"whole_environment", Value(request.whole_environment)},
                               {"service_ids", std::move(services)}});
  }
  return Value();
}

}  // namespace

Result<Value> admission_input(Unit& unit, const Route& route, const Call& call, std::string_view path,
                              const Shared<Record>& subject) {
  ORLOP_TRY(deployment, deployment_of(unit));
  Value resource;
  if (subject) {
    ORLOP_TRY(described, resource_of(*subject));
    resource = std::move(described);
  }
  return Value(Value::Object{{"operation", Value(route.name)},
                             {"method", Value(to_string(route.operation.method))},
                             {"path", Value(path)},
                             {"organization_id", subject ? Value(to_text(subject->organization)) : Value()},
                             {"caller", caller_of(call)},
                             {"resource", std::move(resource)},
                             {"body", body_of(route, call)},
                             {"deployment", std::move(deployment)}});
}

Result<void> require_admission(ExternalSystems& systems, const Value& input) {
  const auto answer = ask(&systems, Question::admit, input);
  if (!answer && answer.error().code == ErrorCode::unanswered) return {};
  if (!answer) return answer.error();
  if (answer->boolean_or("allowed", false)) return {};
  const std::string_view reason = answer->text_or("reason", "");
  return make_error(ErrorCode::forbidden,
                    reason.empty() ? "the external systems deny this change" : std::string(reason));
}

}  // namespace orlop
