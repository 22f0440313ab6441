#include "deploy/driver/step_variables.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "base/family_number.h"
#include "base/text/utf8.h"
#include "deploy/driver/helm_values.h"
#include "model/registry.h"
#include "records/service_count.h"
#include "records/tree/removal.h"
#include "resolution/resolve.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop {
namespace {

using Variables = std::vector<Variable>;

bool refers_to_built_in(std::string_view value, std::string_view prefix) {
  bool is_found = false;
  const auto literal = [](std::string_view) {};
  (void)visit_references(value, literal, [&](std::string_view key, std::string_view) {
    is_found = is_found || key.starts_with(prefix);
    return Result<void>();
  });
  return is_found;
}

// Reports whether a variable is an alias of one that is not visible, or refers to a built-in.
bool names_siblings(const Variables& visible, std::string_view prefix) {
  std::unordered_set<Id> known;
  for (const Variable& variable : visible) known.insert(variable.id);
  return std::ranges::any_of(visible, [&](const Variable& variable) {
    return (!variable.target.is_nil() && !known.contains(variable.target)) ||
           refers_to_built_in(variable.value, prefix);
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
    variable.is_missing = variable.is_secret && value->is_null();
    if (value == nullptr) value = &member.value;
    variable.value = texts.emplace_back(value->is_text() ? value->as_text() : to_json(*value));
    visible.push_back(variable);
  }
}

// Returns the keys of other services' built-ins, as addresses of their texts.
std::unordered_set<const char*> sibling_keys(const VisibleVariables& visible, const Id& service) {
  std::unordered_set<const char*> keys;
  for (const BuiltIn& built_in : visible.built_ins) {
    if (built_in.kind >= BuiltInKind::host_internal && built_in.owner != service) keys.insert(built_in.key.data());
  }
  return keys;
}

void write_variable(Writer& out, const ResolvedVariable& variable) {
  out.begin_object()
      .field("key", variable.key)
      .field("value", std::string_view(variable.value))
      .field("is_secret", variable.is_secret);
  out.key("mount_path");
  if (variable.mount_path.empty()) {
    out.null();
  } else {
    out.value(variable.mount_path);
  }
  if (!variable.secret_manager_access.empty()) out.field("secret_manager_access_id", variable.secret_manager_access);
  out.end_object();
}

constexpr std::size_t key_shown_max = 80;

std::string shown(std::string_view key) {
  return key.size() <= key_shown_max ? std::string(key) : to_utf8(key.substr(0, key_shown_max)) + "…";
}

// Shows nothing of a secret value, except the key of a built-in.
std::string remark_about(const UnknownReference& reference) {
  const std::string variable(reference.variable);
  if (reference.is_in_secret)
    return "the secret " + variable +
           " refers to a key that no variable of the service has; the reference stays as it is";
  return "the variable " + variable + " refers to " + shown(reference.key) +
         ", which is the key of no variable of the service; the reference stays as it is";
}

std::string said_of_built_in(const UnknownReference& reference) {
  return std::string(reference.variable) + " refers to the built-in variable " + shown(reference.key) +
         ", which the service does not have";
}

Error unresolved(const Record& service, const std::string& reason) {
  return make_error(ErrorCode::invalid, "the variables of " + label_of(service) + " cannot be resolved: " + reason);
}

bool holds_secret(const ResolvedVariable& variable) {
  return variable.is_secret && variable.secret_manager_access.empty();
}

bool sees_variables(const Record& service) {
  const Family* family = find_family(service.family);
  return family != nullptr && is_service(*family) && has_variables(*family);
}

}  // namespace

struct StepValues::Parts {
  Id service;
  std::shared_ptr<const VisibleVariables> shared;  // seen by all services of the environment
  VisibleVariables own;                            // seen only by the service
  Resolution resolution;                           // refers to texts of both
  bool is_partial = false;                         // built-ins of other services are not written

  Result<void> read(Unit& unit, const Record& record, SharedVariables& variables, Siblings siblings) {
    ORLOP_TRY(visible, variables.of(unit, record.parent, siblings));
    shared = std::move(visible);
    own = VisibleVariables();
    return read_own(unit, record, siblings, own);
  }

  Variables all() const {
    Variables visible = shared->variables;
    visible.insert(visible.end(), own.variables.begin(), own.variables.end());
    return visible;
  }
};

StepValues::StepValues() : parts_(std::make_unique<Parts>()) {}
StepValues::StepValues(StepValues&&) noexcept = default;
StepValues& StepValues::operator=(StepValues&&) noexcept = default;
StepValues::~StepValues() = default;

const std::string* StepValues::find(std::string_view key) const {
  const auto found = std::ranges::lower_bound(parts_->resolution.variables, key, {}, &ResolvedVariable::key);
  return found == parts_->resolution.variables.end() || found->key != key ? nullptr : &found->value;
}

const Resolution& StepValues::resolution() const { return parts_->resolution; }

void StepValues::write(Writer& out) const {
  const auto left_out =
      parts_->is_partial ? sibling_keys(*parts_->shared, parts_->service) : std::unordered_set<const char*>();
  out.key("variables").begin_list();
  for (const ResolvedVariable& variable : parts_->resolution.variables) {
    if (!left_out.contains(variable.key.data())) write_variable(out, variable);
  }
  out.end_list();
}

void StepValues::add_secrets(SecretValues& secrets) const {
  for (const ResolvedVariable& variable : parts_->resolution.variables) {
    if (holds_secret(variable)) secrets.add(variable.value);
    if (!variable.missing.empty()) secrets.note_missing("variable " + std::string(variable.missing));
  }
}

void StepValues::leave_out_secrets() {
  for (ResolvedVariable& variable : parts_->resolution.variables) {
    if (holds_secret(variable)) variable.value.clear();
  }
}

Result<std::optional<StepValues>> resolve_step(Unit& unit, const Record& service, const Value& outputs,
                                               const StepVariables& variables) {
  if (variables.shared == nullptr || !sees_variables(service)) return std::optional<StepValues>();
  StepValues values;
  StepValues::Parts& parts = *values.parts_;
  parts.service = service.id;
  ORLOP_CHECK(parts.read(unit, service, *variables.shared, variables.is_large ? Siblings::none : Siblings::all));
  Variables visible = parts.all();
  const std::string prefix = branded(branded_names::variable_prefix, unit.settings().brand);
  const bool names_others =
      names_siblings(visible, prefix) || (takes_variables(service) && refers_to_built_in(service.body, prefix));
  parts.is_partial = variables.is_large && names_others;
  if (parts.is_partial) {
    ORLOP_CHECK(parts.read(unit, service, *variables.shared, Siblings::all));
    visible = parts.all();
  }
  add_outputs(outputs, parts.own.texts, visible);
  auto resolved = resolve_variables(visible, prefix);
  if (!resolved) return unresolved(service, resolved.error().message);
  parts.resolution = std::move(*resolved);
  return std::optional<StepValues>(std::move(values));
}

bool SharedVariables::is_current(const Unit& unit, const Id& environment) const {
  return environment == environment_ && mark_ != nullptr && unit.kept_text(owners_.project().id) == mark_;
}

Result<void> SharedVariables::turn_to(Unit& unit, const Id& environment) {
  mark_ = nullptr;
  visible_ = {};
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return not_found("environment", environment);
  ORLOP_TRY(owners, owners_of(unit, *record));
  owners_ = std::move(owners);
  environment_ = environment;
  mark_ = unit.keep_text(owners_.project().id, "");
  return {};
}

Result<std::shared_ptr<const VisibleVariables>> SharedVariables::of(Unit& unit, const Id& environment,
                                                                    Siblings siblings) {
  if (!is_current(unit, environment)) ORLOP_CHECK(turn_to(unit, environment));
  auto& visible = visible_[static_cast<std::size_t>(siblings)];
  if (visible == nullptr) {
    auto made = std::make_shared<VisibleVariables>();
    ORLOP_CHECK(read_visible(unit, owners_, siblings, *made));
    visible = std::move(made);
  }
  return visible;
}

Result<bool> is_large_environment(Unit& unit, const Id& environment) {
  return has_more_services(unit, {&environment, 1}, sibling_services_max);
}

namespace {

// Checks the stored values of a Helm service.
Result<void> check_values(Unit& unit, const Record& service, const StepValues& values,
                          std::vector<std::string>* remarks) {
  if (!takes_variables(service)) return {};
  ORLOP_TRY(body, unit.value_of(service));
  const Value* given = body->find("values_override");
  if (given == nullptr || !given->is_object()) return {};
  ORLOP_TRY(filled, with_variables(service, *given, values, unit.settings().brand, remarks));
  (void)filled;
  return {};
}

}  // namespace

Result<void> check_references(const Record& service, const StepValues& values, const StepVariables& variables) {
  const Resolution& resolution = values.resolution();
  if (!resolution.unknown_built_ins.empty())
    return unresolved(service, said_of_built_in(resolution.unknown_built_ins.front()));
  if (variables.remarks == nullptr) return {};
  for (const UnknownReference& reference : resolution.unknown) variables.remarks->push_back(remark_about(reference));
  return {};
}

Result<void> check_variables(Unit& unit, const Record& service, const Value& outputs, const StepVariables& variables) {
  ORLOP_TRY(values, resolve_step(unit, service, outputs, variables));
  if (!values) return {};
  ORLOP_CHECK(check_references(service, *values, variables));
  return check_values(unit, service, *values, variables.remarks);
}

Result<std::unordered_set<Id>> with_set_variables(Unit& unit, const Id& environment, std::span<const Id> services) {
  std::unordered_set<Id> found;
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return found;
  const Id above[] = {environment, record->parent};
  std::vector<Id> keys(services.begin(), services.end());
  keys.insert(keys.end(), std::begin(above), std::end(above));
  ORLOP_TRY(counts, unit.counts({.keys = keys, .family = variable_number, .enough = 1}));
  for (const RecordCount& count : counts) found.insert(count.key);
  const bool is_seen_by_all = found.contains(above[0]) || found.contains(above[1]);
  if (is_seen_by_all) found.insert(services.begin(), services.end());
  return found;
}

Result<std::vector<VariableProblem>> find_variable_problems(Unit& unit, const Record& service,
                                                            const StepVariables& variables) {
  std::vector<VariableProblem> problems;
  auto values = resolve_step(unit, service, Value(), variables);
  if (!values) {
    if (values.error().code != ErrorCode::invalid) return std::move(values).error();
    problems.push_back({std::move(values).error().message, true});
    return problems;
  }
  if (!*values) return problems;
  const Resolution& resolution = (*values)->resolution();
  for (const UnknownReference& reference : resolution.unknown_built_ins)
    problems.push_back({unresolved(service, said_of_built_in(reference)).message, true});
  std::vector<std::string> remarks;
  for (const UnknownReference& reference : resolution.unknown) remarks.push_back(remark_about(reference));
  if (const auto filled = check_values(unit, service, **values, &remarks); !filled) {
    if (filled.error().code != ErrorCode::invalid) return filled.error();
    problems.push_back({filled.error().message, true});
  }
  for (std::string& remark : remarks) problems.push_back({std::move(remark), false});
  return problems;
}

}  // namespace orlop
