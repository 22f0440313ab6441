// Connection of an organization with the GitHub app, made by external systems.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "unit/find_record.h"
#include "unit/operation.h"

namespace orlop::operation_sets::lookups::github {
namespace {

Answer ask_github(Unit& unit, Question question, Value input, std::uint16_t status, std::string_view field) {
  return ask_later(unit, {.question = question,
                          .input = std::move(input),
                          .reply = [status, field = std::string(field)](const Value& fault) {
                            if (fault.as_text().empty()) return Result<Answer>(Answer{status, {}});
                            return Result<Answer>(invalid_field(field, fault.as_text()));
                          }});
}

Result<Answer> connect(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  Value input(Value::Object{{"organization_id", Value(to_text(organization.id))},
                            {"installation_id", *call.body->find("installation_id")},
                            {"code", *call.body->find("code")},
                            {"force", Value(false)}});
  return ask_github(unit, Question::connect_github, std::move(input), 200, "installation_id");
}

Result<Answer> disconnect(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  Value input(
      Value::Object{{"organization_id", Value(to_text(organization.id))}, {"force", Value(query_flag(call, "force"))}});
  return ask_github(unit, Question::disconnect_github, std::move(input), 204, "force");
}

constexpr Field connect_fields[] = {
    text("installation_id", "ID of the installation of the GitHub app.").required().at_least(1),
    text("code", "Code that GitHub gave after the installation.").required().at_least(1),
};
constexpr Shape connect_shape = {.name = "OrganizationGithubAppConnectRequest", .fields = connect_fields};
constexpr Field disconnect_query[] = {
    boolean("force", "Disconnect although services are built from repositories of the installation. Default: false.")};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "/organization/{organizationId}/github/connect",
     .name = "connect_github_app",
     .handle = connect,
     .body = &connect_shape,
     .is_body_required = true,
     .summary = "Connect an organization with an installation of the GitHub app",
     .need = Level::administer,
     .asks = Question::connect_github},
    {.method = Method::remove,
     .path = "/organization/{organizationId}/github/disconnect",
     .name = "disconnect_github_app",
     .status = 204,
     .handle = disconnect,
     .query = disconnect_query,
     .summary = "Disconnect an organization from its installation of the GitHub app",
     .need = Level::administer,
     .asks = Question::disconnect_github},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::github
