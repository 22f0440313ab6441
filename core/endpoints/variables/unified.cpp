// Operations on variables of every scope: the body or the query names the owner.
#include <string>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/variables/parts/owner.h"
#include "endpoints/variables/parts/variable_answer.h"
#include "endpoints/variables/parts/variable_import.h"
#include "endpoints/variables/parts/variable_shapes.h"

namespace orlop::operation_sets::variables::unified {
namespace {

Result<Answer> answer_of(Unit& unit, const Result<Record>& variable, std::uint16_t status) {
  if (!variable) return variable.error();
  ORLOP_TRY(text, render_variable(unit, *variable, VariableForm::unified));
  return Answer{status, std::move(text)};
}

Result<Answer> list_all(Unit& unit, const Call& call) {
  ORLOP_TRY(owner, require_owner(unit, call, "parent_id", query_text(call, "parent_id"), "scope",
                                 query_text(call, "scope"), Level::view));
  ORLOP_TRY(owners, owners_of(unit, std::move(owner)));
  const std::string_view wanted = query_text(call, "is_secret");
  const std::optional<bool> is_secret = wanted.empty() ? std::nullopt : std::optional(wanted == "true");
  return list_variables(unit, call, owners, VariableForm::unified, is_secret);
}

Result<Answer> create_one(Unit& unit, const Call& call) {
  const Value& body = *call.body;
  ORLOP_TRY(owner, require_owner(unit, call, "variable_parent_id", body.text_or("variable_parent_id", ""),
                                 "variable_scope", body.text_or("variable_scope", ""), Level::manage));
  return answer_of(unit, create_variable(unit, owner, new_variable(body)), 201);
}

Result<Answer> edit_one(Unit& unit, const Call& call) {
  ORLOP_TRY(named, require_variable(unit, call, Level::manage));
  return answer_of(unit, edit_variable(unit, named, variable_edit(*call.body)), 200);
}

Result<Answer> delete_one(Unit& unit, const Call& call) {
  ORLOP_TRY(named, require_variable(unit, call, Level::manage));
  ORLOP_CHECK(delete_variable(unit, named));
  return Answer{204, {}};
}

Result<Answer> alias_one(Unit& unit, const Call& call) {
  const Value& body = *call.body;
  ORLOP_TRY(named, require_variable(unit, call, Level::view));
  ORLOP_TRY(owner, require_owner(unit, call, "alias_parent_id", body.text_or("alias_parent_id", ""), "alias_scope",
                                 body.text_or("alias_scope", ""), Level::manage));
  return answer_of(unit, create_alias(unit, named, owner, new_variable(body)), 201);
}

Result<Answer> override_one(Unit& unit, const Call& call) {
  const Value& body = *call.body;
  ORLOP_TRY(named, require_variable(unit, call, Level::view));
  ORLOP_TRY(owner, require_owner(unit, call, "override_parent_id", body.text_or("override_parent_id", ""),
                                 "override_scope", body.text_or("override_scope", ""), Level::manage));
  return answer_of(unit, create_override(unit, named, owner, new_variable(body)), 201);
}

Result<Answer> import_many(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_owner(unit, call, "service_id", query_text(call, "service_id"), "service_type",
                                   query_text(call, "service_type"), Level::manage));
  return import_variables(unit, call, service);
}

constexpr Field list_query[] = {
    uuid("parent_id", "ID of the project, environment or service whose variables are listed.").required(),
    enumeration("scope", variable_shapes::owner_scopes,
                "Scope of that resource: `PROJECT`, `ENVIRONMENT` or the kind of the service.")
        .required(),
    boolean("is_secret", "Return only secrets (true) or only other variables (false). Absent: both."),
};
constexpr Field import_query[] = {
    uuid("service_id", "ID of the service that the variables are imported for.").required(),
    enumeration("service_type", variable_shapes::service_scopes, "Kind of that service.").required(),
};

// Handlers of writes check the permission themselves: the body or the query names the owner, and a built-in is not a
// record.
constexpr std::string_view taken_or_cycle =
    "409: the key is taken in this scope. 400: references between variables lead in a cycle.";

constexpr Operation operations[] = {
    {.path = "/variable",
     .name = "list_variables",
     .handle = list_all,
     .query = list_query,
     .form = AnswerForm::record_list,
     .summary = "List the variables of a project, an environment or a service",
     .about =
         "Returns inherited variables and built-in ones too, the widest scope first. The value of a secret is null."},
    {.method = Method::post,
     .path = "/variable",
     .name = "create_variable",
     .status = 201,
     .access = Access::write,
     .handle = create_one,
     .body = &variable_shapes::create,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Create a variable",
     .about = taken_or_cycle,
     .has_no_subject = true},
    {.method = Method::put,
     .path = "{flat}",
     .name = "edit_variable",
     .access = Access::write,
     .handle = edit_one,
     .body = &variable_shapes::edit,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Edit a variable",
     .about = "Services that see the variable become `OUT_OF_DATE`. Overrides follow a new key. A built-in variable is "
              "refused with 403.",
     .has_no_subject = true},
    {.method = Method::remove,
     .path = "{flat}",
     .name = "delete_variable",
     .status = 204,
     .access = Access::write,
     .handle = delete_one,
     .summary = "Delete a variable",
     .about = "Deletes its aliases and overrides too. Services that see the variable become `OUT_OF_DATE`. A built-in "
              "variable is refused with 403.",
     .has_no_subject = true},
    {.method = Method::post,
     .path = "{flat}/alias",
     .name = "create_variable_alias",
     .status = 201,
     .access = Access::write,
     .handle = alias_one,
     .body = &variable_shapes::alias,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Create an alias of a variable",
     .about = "An alias is another key for the variable. An alias of an alias, and a scope that does not see the "
              "variable, are refused with 400.",
     .need = Level::view,
     .has_no_subject = true},
    {.method = Method::post,
     .path = "{flat}/override",
     .name = "create_variable_override",
     .status = 201,
     .access = Access::write,
     .handle = override_one,
     .body = &variable_shapes::override_,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Create an override of a variable",
     .about = "An override is another value for the variable in a nearer scope, under the same key.",
     .need = Level::view,
     .has_no_subject = true},
    {.method = Method::post,
     .path = "/variable/import",
     .name = "import_variables",
     .status = 201,
     .access = Access::write,
     .handle = import_many,
     .body = &variable_shapes::import,
     .is_body_required = true,
     .query = import_query,
     .form = AnswerForm::shape,
     .answer = &variable_shapes::import_result,
     .summary = "Import variables for a service",
     .about = "If one key or value breaks a rule, or if references lead in a cycle, no variable is imported. A "
              "variable whose key is taken is left "
              "out unless `overwrite` is true.",
     .has_no_subject = true},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("variable"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::variables::unified
