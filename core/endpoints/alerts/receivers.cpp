// Test messages to alert receivers, sent by external systems.
#include <string>
#include <string_view>
#include <utility>

#include "access/permission.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/ask_later.h"
#include "records/missing_secrets.h"
#include "records/path.h"
#include "records/record_value.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unit_context.h"

namespace orlop::operation_sets::alerts::receivers {
namespace {

Answer send_test(Unit& unit, const Id& organization, Value receiver, std::string_view message) {
  Value input(Value::Object{{"organization_id", Value(to_text(organization))},
                            {"receiver", std::move(receiver)},
                            {"message", Value(message)}});
  return ask_later(unit,
                   {.question = Question::send_test_alert, .input = std::move(input), .reply = [](const Value& fault) {
                      if (fault.as_text().empty()) return Result<Answer>(Answer{200, {}});
                      return Result<Answer>(invalid_field("alert_receiver", "cannot be reached: " + fault.as_text()));
                    }});
}

std::string_view message_of(const Call& call) {
  return call.body == nullptr ? std::string_view() : call.body->text_or("message", "");
}

Result<Answer> validate_stored(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_CHECK(require_secrets(record));
  ORLOP_TRY(receiver, full_value(record));
  return send_test(unit, record.organization, std::move(receiver), message_of(call));
}

// Checks the permission here, because the body names the organization.
Result<Answer> validate_new(Unit& unit, const Call& call) {
  const Value& given = *call.body->find("alert_receiver");
  const Id id = id_in(given, "organization_id").value_or(Id{});
  ORLOP_TRY(organization, require(unit, *find_family("organization"), id));
  ORLOP_CHECK(Permissions(unit, *call.caller).require(organization, Level::manage));
  Record identity;
  identity.family = call.family->number;
  identity.parent = organization.id;
  identity.organization = organization.id;
  UnitContext context(unit, identity, nullptr);
  Violations violations;
  Value receiver = make_record(*call.family, given, Purpose::create, context, violations);
  if (!violations.empty()) {
    for (Violation& violation : violations) violation.field = "alert_receiver." + violation.field;
    return refusal(std::move(violations));
  }
  return send_test(unit, organization.id, std::move(receiver), message_of(call));
}

constexpr Field message = text("message", "Text of the message. Default: a text of the external system.").at_most(4096);
constexpr Field stored_fields[] = {message};
constexpr Shape stored_shape = {.name = "AlertReceiverValidationRequest", .fields = stored_fields};
constexpr Field new_fields[] = {
    open_object("alert_receiver", "Receiver to test, as in a request to create one.").required(), message};
constexpr Shape new_shape = {.name = "AlertReceiverCreationValidationRequest", .fields = new_fields};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "{item}/validate",
     .name = "validate_{family}",
     .handle = validate_stored,
     .body = &stored_shape,
     .summary = "Send a test message to {one}",
     .about = "400: the receiver cannot be reached.",
     .need = Level::manage,
     .asks = Question::send_test_alert},
    {.method = Method::post,
     .path = "/alert-receivers/validate",
     .name = "validate_new_{family}",
     .handle = validate_new,
     .body = &new_shape,
     .is_body_required = true,
     .summary = "Send a test message to an alert receiver that is not stored",
     .about =
         "The caller must be allowed to manage the organization. 400: the receiver is not valid or cannot be reached.",
     .has_no_subject = true,
     .asks = Question::send_test_alert},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("alert_receiver"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::alerts::receivers
