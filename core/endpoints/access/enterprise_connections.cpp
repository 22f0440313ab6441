// Operations on the enterprise connections of an organization, which link it to identity providers. Paths address a
// connection by its name.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/render_records.h"
#include "records/write_record.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::access::enterprise_connections {
namespace {

Result<std::vector<Record>> connections_of(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  RecordRange range;
  range.key = organization.id;
  range.family = call.family->number;
  return unit.records(range);
}

Result<Answer> answer_of(Unit& unit, const Call& call, const Record& connection) {
  ORLOP_TRY(text, render(unit, *call.family, connection));
  return Answer{200, std::move(text)};
}

Result<Shared<Record>> find_connection(Unit& unit, const Call& call, std::string_view name) {
  ORLOP_TRY(connections, connections_of(unit, call));
  for (Record& connection : connections) {
    ORLOP_TRY(body, unit.value_of(connection));
    if (body->text_or("connection_name", "") == name) return Shared<Record>(std::move(connection));
  }
  return Shared<Record>();
}

Result<Answer> read_connection(Unit& unit, const Call& call) {
  ORLOP_TRY(connection, find_connection(unit, call, call.texts.front()));
  if (!connection)
    return make_error(ErrorCode::not_found,
                      "there is no enterprise connection \"" + call.texts.front() + "\" in the organization");
  return answer_of(unit, call, *connection);
}

// There is no create: the first PUT creates the connection.
Result<Answer> edit_connection(Unit& unit, const Call& call) {
  const std::string& name = call.texts.front();
  Value body = *call.body;
  // Clients may send an empty name for the one in the path.
  if (body.text_or("connection_name", name).empty()) body.set("connection_name", Value(name));
  const std::string_view given = body.text_or("connection_name", "");
  if (given != name)
    return refusal({{"connection_name",
                     "must be \"" + name + "\", as in the path, not \"" + std::string(given.substr(0, 80)) + "\""}});
  ORLOP_TRY(connection, find_connection(unit, call, name));
  ORLOP_TRY(stored, connection ? edit_record(unit, *call.family, std::move(connection).take(), body)
                               : create_record(unit, *call.family, call.ids.front(), body));
  return answer_of(unit, call, stored);
}

constexpr Field texts[] = {text("connectionName", "Name of the connection.").at_least(1).at_most(255)};

constexpr Operation operations[] = {
    {.path = "{collection}/{connectionName}",
     .name = "get_{family}",
     .handle = read_connection,
     .form = AnswerForm::record,
     .summary = "Get {one}",
     .about = "404: the organization has no connection of this name.",
     .need = Level::administer,
     .path_texts = texts},
    {.method = Method::put,
     .path = "{collection}/{connectionName}",
     .name = "edit_{family}",
     .access = Access::write,
     .handle = edit_connection,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Create or edit {one}",
     .about = "The connection is created if there is none of this name. The name cannot be changed; an empty "
              "`connection_name` is the name in the path.",
     .need = Level::administer,
     .path_texts = texts},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("enterprise_connection"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::access::enterprise_connections
