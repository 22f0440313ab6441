#include "endpoints/variables/parts/older.h"

#include <string>
#include <utility>

#include "endpoints/variables/parts/owner.h"
#include "endpoints/variables/parts/variable_answer.h"
#include "endpoints/variables/parts/variable_import.h"
#include "records/verbs.h"
#include "unit/find_record.h"
#include "unit/unique_name.h"

namespace orlop::older_variables {
namespace {

bool is_secret(VariableForm form) { return form == VariableForm::secret; }

std::string_view noun_of(VariableForm form) { return is_secret(form) ? "secret" : "variable"; }

Result<Answer> answer_of(Unit& unit, const Result<Record>& variable, std::uint16_t status, VariableForm form) {
  if (!variable) return variable.error();
  ORLOP_TRY(text, render_variable(unit, *variable, form));
  return Answer{status, std::move(text)};
}

// Returns the variable in the path, which must have the form of the path.
Result<NamedVariable> variable_of(Unit& unit, const Call& call, VariableForm form, Level needed) {
  ORLOP_TRY(named, orlop::require_variable(unit, call, needed));
  if (named.is_secret != is_secret(form)) return not_found(noun_of(form), call.ids.back());
  return std::move(named);
}

// Returns the variable if the owner in the path itself has it.
Result<NamedVariable> own_variable(Unit& unit, const Call& call, VariableForm form) {
  ORLOP_TRY(owner, require(unit, *call.family, call.ids.front()));
  ORLOP_TRY(named, variable_of(unit, call, form, Level::manage));
  if (named.owner.id != owner.id && named.type != VariableType::built_in)
    return not_found(noun_of(form), call.ids.back());
  return std::move(named);
}

Result<Answer> list_form(Unit& unit, const Call& call, VariableForm form) {
  ORLOP_TRY(owner, require(unit, *call.family, call.ids.front()));
  ORLOP_TRY(owners, owners_of(unit, std::move(owner)));
  return list_variables(unit, call, owners, form, is_secret(form));
}

Result<Answer> create_form(Unit& unit, const Call& call, VariableForm form) {
  ORLOP_TRY(owner, require(unit, *call.family, call.ids.front()));
  NewVariable given = new_variable(*call.body);
  given.is_secret = is_secret(form);
  return answer_of(unit, create_variable(unit, owner, given), 201, form);
}

Result<Answer> edit_form(Unit& unit, const Call& call, VariableForm form) {
  ORLOP_TRY(named, own_variable(unit, call, form));
  return answer_of(unit, edit_variable(unit, named, variable_edit(*call.body)), 200, form);
}

Result<Answer> remove_form(Unit& unit, const Call& call, VariableForm form) {
  ORLOP_TRY(named, own_variable(unit, call, form));
  ORLOP_CHECK(delete_variable(unit, named));
  return Answer{204, {}};
}

using Link = Result<Record> (*)(Unit& unit, const NamedVariable& target, const Record& owner, const NewVariable& given);

// The permission check of the path is for the variable's owner; the new variable belongs to `owner`.
Result<Answer> link_form(Unit& unit, const Call& call, VariableForm form, Link link) {
  ORLOP_TRY(owner, require(unit, *call.family, call.ids.front()));
  ORLOP_CHECK(require_level(unit, call, owner, Level::manage));
  ORLOP_TRY(named, variable_of(unit, call, form, Level::view));
  return answer_of(unit, link(unit, named, owner, new_variable(*call.body)), 201, form);
}

constexpr auto plain_form = VariableForm::environment;
constexpr auto secret_form = VariableForm::secret;

}  // namespace

Result<Answer> list(Unit& unit, const Call& call) { return list_form(unit, call, plain_form); }
Result<Answer> create(Unit& unit, const Call& call) { return create_form(unit, call, plain_form); }
Result<Answer> edit(Unit& unit, const Call& call) { return edit_form(unit, call, plain_form); }
Result<Answer> remove(Unit& unit, const Call& call) { return remove_form(unit, call, plain_form); }
Result<Answer> alias(Unit& unit, const Call& call) { return link_form(unit, call, plain_form, create_alias); }
Result<Answer> override_(Unit& unit, const Call& call) { return link_form(unit, call, plain_form, create_override); }

Result<Answer> list_secrets(Unit& unit, const Call& call) { return list_form(unit, call, secret_form); }
Result<Answer> create_secret(Unit& unit, const Call& call) { return create_form(unit, call, secret_form); }
Result<Answer> edit_secret(Unit& unit, const Call& call) { return edit_form(unit, call, secret_form); }
Result<Answer> remove_secret(Unit& unit, const Call& call) { return remove_form(unit, call, secret_form); }
Result<Answer> alias_secret(Unit& unit, const Call& call) { return link_form(unit, call, secret_form, create_alias); }
Result<Answer> override_secret(Unit& unit, const Call& call) {
  return link_form(unit, call, secret_form, create_override);
}

Result<Answer> import(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require(unit, *call.family, call.ids.front()));
  return import_variables(unit, call, service);
}

}  // namespace orlop::older_variables
