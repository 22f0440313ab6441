#include "endpoints/variables/parts/owner.h"

#include <string>
#include <utility>

#include "access/permission.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

std::string text_in(const Value& body, std::string_view name) { return std::string(body.text_or(name, "")); }

}  // namespace

Result<void> require_level(Unit& unit, const Call& call, const Record& owner, Level needed) {
  return Permissions(unit, *call.caller).require(owner, needed);
}

Result<Record> require_owner(Unit& unit, const Call& call, std::string_view id_field, std::string_view id,
                             std::string_view scope_field, std::string_view scope, Level needed) {
  const Id parsed = parse_id(id).value_or(Id{});
  ORLOP_TRY(record, unit.record(parsed));
  const Family* family = record ? find_family(record->family) : nullptr;
  if (family == nullptr) return not_found("project, environment or service", parsed);
  ORLOP_CHECK(require_level(unit, call, *record, needed));
  if (!has_variables(*family)) {
    return invalid_field(
        id_field,
        "must be the id of a project, an environment or a service that has variables, not of a " + words_for(*family));
  }
  if (scope != variable_scope_of(*family)) {
    return invalid_field(scope_field, "must be " + std::string(variable_scope_of(*family)) + ", the scope of the " +
                                          words_for(*family) + " that " + std::string(id_field) + " names, not " +
                                          std::string(scope));
  }
  return *record;
}

Result<NamedVariable> require_variable(Unit& unit, const Call& call, Level needed) {
  ORLOP_TRY(named, require_variable(unit, call.ids.back()));
  ORLOP_CHECK(require_level(unit, call, named.owner, needed));
  return std::move(named);
}

NewVariable new_variable(const Value& body) {
  NewVariable given;
  given.key = text_in(body, "key");
  given.value = text_in(body, "value");
  given.mount_path = text_in(body, "mount_path");
  given.description = text_in(body, "description");
  given.interpolates_file = body.boolean_or("enable_interpolation_in_file", false);
  given.is_secret = body.boolean_or("is_secret", false);
  given.secret_manager_access = text_in(body, "secret_manager_access_id");
  return given;
}

VariableEdit variable_edit(const Value& body) {
  VariableEdit given;
  given.key = text_in(body, "key");
  if (body.has("value")) given.value = text_in(body, "value");
  if (body.has("mount_path")) given.mount_path = text_in(body, "mount_path");
  given.description = text_in(body, "description");
  given.interpolates_file = body.boolean_or("enable_interpolation_in_file", false);
  if (body.has("secret_manager_access_id")) given.secret_manager_access = text_in(body, "secret_manager_access_id");
  return given;
}

}  // namespace orlop
