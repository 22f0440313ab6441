#include "deploy/driver/step_variables.h"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "model/registry.h"
#include "ops/service_count.h"
#include "ops/tree/removal.h"
#include "ops/verbs.h"
#include "variables/resolve.h"

namespace orlop {
namespace {

using Variables = std::vector<Variable>;

// Whether something names a built-in that is not among the visible ones.
bool names_siblings(const Variables& visible, std::string_view brand) {
  std::unordered_set<Id> known;
  for (const Variable& variable : visible) known.insert(variable.id);
  const std::string mark = "{{" + branded(branded_names::variable_prefix, brand);
  return std::ranges::any_of(visible, [&](const Variable& variable) {
    return (!variable.target.is_nil() && !known.contains(variable.target)) || variable.value.find(mark) != std::string_view::npos;
  });
}

void add_outputs(const Value& outputs, std::deque<std::string>& texts, Variables& visible) {
  for (const Member& member : outputs.members()) {
    Variable variable;
    variable.scope = VariableScope::service;
    variable.is_interpolated = false;
    variable.key = texts.emplace_back(member.name);
    const Value* value = member.value.is_object() ? member.value.find("value") : nullptr;
    if (value != nullptr) variable.is_secret = member.value.boolean_or("sensitive", false);
    if (value == nullptr) value = &member.value;
    variable.value = texts.emplace_back(value->is_text() ? value->as_text() : to_json(*value));
    visible.push_back(variable);
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

// What a service sees: what its environment does, and what only it does.
struct SeenByService {
  std::shared_ptr<const VisibleVariables> shared;
  VisibleVariables own;

  Variables all() const {
    Variables variables = shared->variables;
    variables.insert(variables.end(), own.variables.begin(), own.variables.end());
    return variables;
  }
};

Result<void> read_seen(Unit& unit, const Record& service, SharedVariables& shared, Siblings siblings, SeenByService& into) {
  ORLOP_TRY(visible, shared.of(unit, service.parent, siblings));
  into.shared = std::move(visible);
  into.own = VisibleVariables();
  return read_own(unit, service, siblings, into.own);
}

}  // namespace

bool SharedVariables::is_current(const Unit& unit, const Id& environment) const {
  return environment == environment_ && mark_ != nullptr && unit.kept_text(owners_.project().id) == mark_;
}

Result<void> SharedVariables::turn_to(Unit& unit, const Id& environment) {
  mark_ = nullptr;
  visible_ = {};
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return not_found("environment", environment);
  ORLOP_TRY(owners, owners_of(unit, std::move(*record)));
  owners_ = std::move(owners);
  environment_ = environment;
  mark_ = unit.keep_text(owners_.project().id, "");
  return {};
}

Result<std::shared_ptr<const VisibleVariables>> SharedVariables::of(Unit& unit, const Id& environment, Siblings siblings) {
  if (!is_current(unit, environment)) ORLOP_CHECK(turn_to(unit, environment));
  auto& visible = visible_[static_cast<std::size_t>(siblings)];
  if (visible == nullptr) {
    auto made = std::make_shared<VisibleVariables>();
    ORLOP_CHECK(read_visible(unit, owners_, siblings, *made));
    visible = std::move(made);
  }
  return visible;
}

Result<bool> is_large_environment(Unit& unit, const Id& environment) { return has_more_services(unit, {&environment, 1}, sibling_services_max); }

Result<void> write_variables(Unit& unit, const Record& service, const Value& outputs, const StepVariables& variables, Writer& out) {
  const Family* family = find_family(service.family);
  if (variables.shared == nullptr || family == nullptr || !is_service(*family) || !has_variables(*family)) return {};
  SeenByService seen;
  ORLOP_CHECK(read_seen(unit, service, *variables.shared, variables.is_large ? Siblings::none : Siblings::all, seen));
  Variables visible = seen.all();
  const bool is_partial = variables.is_large && names_siblings(visible, unit.settings().brand);
  if (is_partial) {
    ORLOP_CHECK(read_seen(unit, service, *variables.shared, Siblings::all, seen));
    visible = seen.all();
  }
  add_outputs(outputs, seen.own.texts, visible);
  const auto resolved = resolve_variables(visible);
  if (!resolved) return make_error(ErrorCode::invalid, "the variables of " + label_of(service) + " cannot be resolved: " + resolved.error().message);
  const auto left_out = is_partial ? sibling_keys(*seen.shared, service.id) : std::unordered_set<const char*>();
  out.key("variables").begin_list();
  for (const ResolvedVariable& variable : *resolved) {
    if (!left_out.contains(variable.key.data())) write_variable(out, variable);
  }
  out.end_list();
  return {};
}

}  // namespace orlop
