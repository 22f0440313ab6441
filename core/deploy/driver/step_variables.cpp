#include "deploy/driver/step_variables.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/brand.h"
#include "model/registry.h"
#include "ops/tree/removal.h"
#include "ops/variables/visible.h"
#include "variables/resolve.h"

namespace orlop {
namespace {

Result<bool> is_large(Unit& unit, const Id& environment) {
  std::size_t count = 0;
  ORLOP_CHECK(unit.stored().machines({MachineRange::By::owner, environment, 0, {}}, [&count](const Machine&) { return ++count <= sibling_services_max; }));
  return count > sibling_services_max;
}

// Whether something names a built-in that is not among the visible ones.
bool names_siblings(const VisibleVariables& visible, std::string_view brand) {
  std::unordered_set<Id> known;
  for (const Variable& variable : visible.variables) known.insert(variable.id);
  const std::string mark = "{{" + branded(branded_names::variable_prefix, brand);
  return std::ranges::any_of(visible.variables, [&](const Variable& variable) {
    return (!variable.target.is_nil() && !known.contains(variable.target)) || variable.value.find(mark) != std::string_view::npos;
  });
}

void add_outputs(const Value& outputs, VisibleVariables& visible) {
  for (const Member& member : outputs.members()) {
    Variable variable;
    variable.scope = VariableScope::service;
    variable.is_interpolated = false;
    variable.key = visible.texts.emplace_back(member.name);
    const Value* value = member.value.is_object() ? member.value.find("value") : nullptr;
    if (value != nullptr) variable.is_secret = member.value.boolean_or("sensitive", false);
    if (value == nullptr) value = &member.value;
    variable.value = visible.texts.emplace_back(value->is_text() ? value->as_text() : to_json(*value));
    visible.variables.push_back(variable);
  }
}

// The keys of built-ins of other services, by the place of their text.
std::unordered_set<const char*> sibling_keys(const VisibleVariables& visible, const Id& service) {
  std::unordered_set<const char*> keys;
  for (const BuiltIn& built_in : visible.built_ins) {
    if (built_in.kind >= BuiltInKind::host_internal && built_in.owner != service) keys.insert(built_in.key.data());
  }
  return keys;
}

void write_variable(Writer& out, const ResolvedVariable& variable) {
  out.begin_object().field("key", variable.key).field("value", std::string_view(variable.value)).field("is_secret", variable.is_secret);
  out.key("mount_path");
  if (variable.mount_path.empty()) {
    out.null();
  } else {
    out.value(variable.mount_path);
  }
  if (!variable.secret_manager_access.empty()) out.field("secret_manager_access_id", variable.secret_manager_access);
  out.end_object();
}

}  // namespace

Result<void> write_variables(Unit& unit, const Record& service, const Value& outputs, Writer& out) {
  const Family* family = find_family(service.family);
  if (family == nullptr || !is_service(*family) || !has_variables(*family)) return {};
  ORLOP_TRY(owners, owners_of(unit, service));
  ORLOP_TRY(large, is_large(unit, service.parent));
  VisibleVariables visible;
  ORLOP_CHECK(read_visible(unit, owners, large ? Siblings::none : Siblings::all, visible));
  const bool is_partial = large && names_siblings(visible, unit.settings().brand);
  if (is_partial) {
    visible = VisibleVariables();
    ORLOP_CHECK(read_visible(unit, owners, Siblings::all, visible));
  }
  add_outputs(outputs, visible);
  const auto resolved = resolve_variables(visible.variables);
  if (!resolved) return make_error(ErrorCode::invalid, "the variables of " + label_of(service) + " cannot be resolved: " + resolved.error().message);
  const auto left_out = is_partial ? sibling_keys(visible, service.id) : std::unordered_set<const char*>();
  out.key("variables").begin_list();
  for (const ResolvedVariable& variable : *resolved) {
    if (!left_out.contains(variable.key.data())) write_variable(out, variable);
  }
  out.end_list();
  return {};
}

}  // namespace orlop
