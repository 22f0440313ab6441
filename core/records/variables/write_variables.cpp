#include "records/variables/write_variables.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "base/limits.h"
#include "base/text/utf8.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/variables/reach.h"
#include "records/variables/secret_access.h"
#include "records/variables/variable_text.h"
#include "resolution/resolve.h"
#include "unit/store_record.h"

namespace orlop {
namespace {

Error invalid(std::string_view field, std::string reason) {
  Error error = make_error(ErrorCode::invalid, std::string(field) + " " + reason);
  error.violations.push_back({std::string(field), std::move(reason)});
  return error;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t shown_max = 80;
  return text.size() <= shown_max ? std::string(text) : to_utf8(text.substr(0, shown_max)) + "…";
}

Result<void> require_free_key(Unit& unit, const Record& owner, const std::string& key, const Id& self) {
  ORLOP_TRY(holder, unit.find(variable_key(owner.id, key)));
  if (!holder || *holder == self) return {};
  const Family* family = find_family(owner.family);
  return make_error(ErrorCode::conflict, "key \"" + shortened(key) + "\" is taken by another variable of this " +
                                             std::string(family == nullptr ? "resource" : family->name));
}

// Variables that references of a key lead to, as the nearest owner sees them. Built-ins refer to no variable and are
// left out.
class ReachedVariables {
 public:
  ReachedVariables(Unit& unit, const VariableOwners& owners) : unit_(unit), owners_(owners) {}

  // Follows references as deep as a step does.
  Result<std::span<const Variable>> from(std::string_view key) {
    std::vector<std::string> keys;
    note(key, keys);
    for (std::size_t depth = 0; depth <= reference_depth_max && !keys.empty(); ++depth) {
      std::vector<std::string> next;
      for (const std::string& reached : keys) ORLOP_CHECK(read(reached, next));
      keys = std::move(next);
    }
    return std::span<const Variable>(variables_);
  }

 private:
  void note(std::string_view key, std::vector<std::string>& keys) {
    if (seen_.emplace(key).second) keys.emplace_back(key);
  }

  // Reads the variables of the key in all owners, and the keys that they refer to.
  Result<void> read(const std::string& key, std::vector<std::string>& next) {
    for (std::size_t place = 0; place < owners_.records.size(); ++place) {
      ORLOP_TRY(id, unit_.find(variable_key(owners_.records[place].id, key)));
      ORLOP_TRY(record, id ? unit_.record(*id) : Result<Shared<Record>>(Shared<Record>()));
      if (!record) continue;
      const Record& kept = *records_.emplace_back(std::move(record));
      ORLOP_TRY(variable, variable_of(kept, static_cast<VariableScope>(place + 1), texts_));
      variables_.push_back(variable);
      for (const std::string_view named : references_in(variable)) note(named, next);
      if (variable.type != VariableType::alias) continue;
      ORLOP_TRY(target, unit_.record(variable.target));
      if (target && target->family == variable_number) {
        ORLOP_TRY(aliased, variable_of(*records_.emplace_back(std::move(target)), VariableScope::project, texts_));
        note(aliased.key, next);
      }
    }
    return {};
  }

  Unit& unit_;
  const VariableOwners& owners_;
  std::deque<Shared<Record>> records_;
  std::deque<std::string> texts_;
  std::vector<Variable> variables_;  // their texts are in the two members above
  std::unordered_set<std::string> seen_;
};

// Error invalid if the owner of the variable sees a cycle. Only a variable with references, or an alias, can close one.
Result<void> require_no_cycle(Unit& unit, const Record& owner, const VariableContent& content) {
  const bool may_close = content.type == VariableType::alias || has_reference(content.value);
  if (!may_close) return {};
  ORLOP_TRY(owners, owners_of(unit, owner));
  ReachedVariables reached(unit, owners);
  ORLOP_TRY(variables, reached.from(content.key));
  const std::string cycle = find_cycle(variables, content.key);
  if (cycle.empty()) return {};
  return invalid(content.type == VariableType::alias ? "key" : "value",
                 "must not lead to references in a cycle, as in " + cycle);
}

// Returns the records that a variable refers to: its target, or, if that is the built-in of a service, the service; the
// secret manager access of an external secret.
std::vector<Id> references_of(const VariableContent& content, const Id& built_in_of) {
  std::vector<Id> references;
  if (!built_in_of.is_nil()) references.push_back(built_in_of);
  if (built_in_of.is_nil() && !content.target.is_nil()) references.push_back(content.target);
  if (const auto access = parse_id(content.secret_manager_access)) references.push_back(*access);
  return references;
}

Result<Record> put_content(Unit& unit, const Record& owner, Record record, VariableContent content, EventKind event,
                           const Id& built_in_of, Batch batch) {
  ORLOP_CHECK(require_free_key(unit, owner, content.key, content.id));
  write_content(content, record);
  emit_about(unit, record, event, record.revision + 1, event_text_of(record));
  unit.put(record, variable_key(owner.id, content.key), references_of(content, built_in_of));
  ++record.revision;
  if (batch == Batch::single) ORLOP_CHECK(require_no_cycle(unit, owner, content));
  return record;
}

VariableContent content_for(Unit& unit, const Record& owner, const NewVariable& given) {
  const Family* family = find_family(owner.family);
  VariableContent content;
  content.id = unit.make_id();
  content.created_at = unit.now();
  content.updated_at = unit.now();
  content.key = given.key;
  content.value = given.value;
  content.mount_path = given.mount_path;
  content.description = given.description;
  content.interpolates_file = given.interpolates_file;
  content.secret_manager_access = given.secret_manager_access;
  content.is_secret = given.is_secret;
  content.scope = family->name == "project"       ? VariableScope::project
                  : family->name == "environment" ? VariableScope::environment
                                                  : VariableScope::service;
  content.scope_text = variable_scope_of(*family);
  return content;
}

Result<Record> put_new(Unit& unit, const Record& owner, VariableContent content, const Id& built_in_of,
                       Batch batch = Batch::single) {
  Record record;
  record.id = content.id;
  record.family = variable_number;
  record.parent = owner.id;
  record.organization = owner.organization;
  ORLOP_TRY(stored,
            put_content(unit, owner, std::move(record), std::move(content), EventKind::created, built_in_of, batch));
  if (batch == Batch::single) ORLOP_CHECK(mark_reached(unit, owner));
  return std::move(stored);
}

Result<void> refuse(Violations violations) {
  if (violations.empty()) return {};
  return refusal(std::move(violations));
}

// Error invalid unless the new variable's owner sees the target: the owner of the target is the new owner or above it.
// A built-in of a service is visible in the whole environment.
Result<void> require_seen(Unit& unit, const NamedVariable& target, const Record& owner, std::string_view field) {
  ORLOP_TRY(owners, owners_of(unit, owner));
  const Family* family = find_family(target.owner.family);
  const bool is_of_service = family != nullptr && is_service(*family);
  const Id above = target.type == VariableType::built_in && is_of_service ? target.owner.parent : target.owner.id;
  if (std::ranges::find(owners.records, above, &Record::id) != owners.records.end()) return {};
  return invalid(field, "must be a scope that sees the variable " + shortened(target.key) +
                            ": the scope of the variable, or one below it");
}

// Returns the service whose built-in it is: the alias is deleted with the service.
Id service_of_built_in(const NamedVariable& target) {
  const Family* family = find_family(target.owner.family);
  return target.type == VariableType::built_in && family != nullptr && is_service(*family) ? target.owner.id : Id{};
}

Error built_in_is_fixed(const NamedVariable& variable, std::string_view verb) {
  return make_error(ErrorCode::forbidden, "variable " + variable.key + " is built in and cannot be " +
                                              std::string(verb) + "; create an override of it instead");
}

Result<std::vector<Record>> dependents_of(Unit& unit, const Id& variable) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = variable;
  range.family = variable_number;
  return unit.records(range);
}

// Gives overrides the new key of the variable that they override.
Result<void> rename_overrides(Unit& unit, const Id& target, const std::string& key) {
  ORLOP_TRY(dependents, dependents_of(unit, target));
  for (Record& dependent : dependents) {
    ORLOP_TRY(content, content_of(dependent));
    if (content.type != VariableType::override_ || content.key == key) continue;
    ORLOP_TRY(owner, unit.record(dependent.parent));
    if (!owner) continue;
    content.key = key;
    content.updated_at = unit.now();
    const Id id = dependent.id;
    ORLOP_TRY(stored, put_content(unit, *owner, std::move(dependent), std::move(content), EventKind::edited, Id{},
                                  Batch::part));
    (void)stored;
    ORLOP_CHECK(rename_overrides(unit, id, key));
  }
  return {};
}

// `aliased_key`: key of the variable that an alias names; answers show it as the alias's value.
Result<void> apply_edit(const VariableEdit& given, std::string_view aliased_key, VariableContent& content) {
  if (content.type == VariableType::override_ && given.key != content.key) {
    return invalid("key", "must be \"" + shortened(content.key) +
                              "\", the key of the variable that is overridden, not \"" + shortened(given.key) + "\"");
  }
  const std::string manager = given.secret_manager_access.value_or("");
  if (!manager.empty() && !is_external(content.type)) {
    return invalid("secret_manager_access_id",
                   "must be absent for a variable that is not an external secret, not \"" + shortened(manager) + "\"");
  }
  const std::string path = given.mount_path.value_or("");
  if (!path.empty() && path != content.mount_path && !is_file(content.type)) {
    return invalid("mount_path", "must be absent for a variable that is not a file, not \"" + shortened(path) + "\"");
  }
  if (given.value && content.type != VariableType::alias) {
    content.value = *given.value;
    content.is_missing = false;
  }
  if (content.type == VariableType::alias && !given.value.value_or("").empty() && *given.value != aliased_key) {
    return invalid("value",
                   "must be absent for an alias, or the key of the variable that it names, " + shortened(aliased_key));
  }
  content.key = given.key;
  content.description = given.description;
  content.interpolates_file = given.interpolates_file;
  if (given.is_secret) content.is_secret = *given.is_secret;
  if (given.secret_manager_access && is_external(content.type))
    content.secret_manager_access = *given.secret_manager_access;
  if (!path.empty()) content.mount_path = path;
  return {};
}

Result<void> erase_with_dependents(Unit& unit, const Record& variable, std::size_t depth) {
  constexpr std::size_t depth_max = 8;  // overrides in each scope, one of the other, and an alias
  if (depth < depth_max) {
    ORLOP_TRY(dependents, dependents_of(unit, variable.id));
    for (const Record& dependent : dependents) ORLOP_CHECK(erase_with_dependents(unit, dependent, depth + 1));
  }
  emit_about(unit, variable, EventKind::deleted, variable.revision, event_text_of(variable));
  unit.erase(variable.id);
  return {};
}

}  // namespace

void check_variable(const NewVariable& given, std::string_view prefix, Violations& violations) {
  const auto add = [&](std::string_view field, std::string reason) {
    violations.push_back({std::string(prefix).append(field), std::move(reason)});
  };
  if (!is_key(given.key)) {
    add("key", "must be 1 to " + std::to_string(name_size_max) +
                   " bytes without blanks, control characters, \"=\" and braces, not \"" + shortened(given.key) + "\"");
  }
  if (given.value.size() > text_size_max) {
    add("value",
        "must be at most " + std::to_string(text_size_max) + " bytes, not " + std::to_string(given.value.size()));
  }
  if (given.value.find('\0') != std::string::npos) add("value", "must not contain the character U+0000");
  if (given.mount_path.empty()) return;
  if (!given.mount_path.starts_with('/') || given.mount_path.size() > mount_path_max ||
      given.mount_path.find('\0') != std::string::npos) {
    add("mount_path", "must be an absolute path of at most " + std::to_string(mount_path_max) +
                          " bytes, as in /etc/app.conf, not \"" + shortened(given.mount_path) + "\"");
  }
}

Result<Record> create_variable(Unit& unit, const Record& owner, const NewVariable& given, Batch batch) {
  Violations violations;
  check_variable(given, "", violations);
  ORLOP_CHECK(refuse(std::move(violations)));
  if (!given.secret_manager_access.empty())
    ORLOP_CHECK(require_secret_manager_access(unit, owner, given.secret_manager_access));
  VariableContent content = content_for(unit, owner, given);
  const bool is_mounted = !given.mount_path.empty();
  if (given.secret_manager_access.empty()) {
    content.type = is_mounted ? VariableType::file : VariableType::value;
  } else {
    content.type = is_mounted ? VariableType::file_external_secret : VariableType::external_secret;
  }
  return put_new(unit, owner, std::move(content), Id{}, batch);
}

Result<Record> create_alias(Unit& unit, const NamedVariable& target, const Record& owner, const NewVariable& given) {
  Violations violations;
  check_variable(given, "", violations);
  ORLOP_CHECK(refuse(std::move(violations)));
  if (target.type == VariableType::alias) {
    return invalid("variableId", "must name a variable that is not an alias itself, unlike " + shortened(target.key));
  }
  ORLOP_CHECK(require_seen(unit, target, owner, "alias_scope"));
  VariableContent content = content_for(unit, owner, given);
  content.type = VariableType::alias;
  content.value.clear();
  content.mount_path.clear();
  content.is_secret = target.is_secret;
  content.target = target.record.id;
  return put_new(unit, owner, std::move(content), service_of_built_in(target));
}

Result<Record> create_override(Unit& unit, const NamedVariable& target, const Record& owner, const NewVariable& given) {
  NewVariable named = given;
  named.key = target.key;
  named.mount_path = target.mount_path;
  Violations violations;
  check_variable(named, "", violations);
  ORLOP_CHECK(refuse(std::move(violations)));
  if (target.type == VariableType::alias) {
    return invalid("variableId", "must name a variable that has a value, unlike the alias " + shortened(target.key));
  }
  ORLOP_CHECK(require_seen(unit, target, owner, "override_scope"));
  VariableContent content = content_for(unit, owner, named);
  content.type = VariableType::override_;
  content.is_secret = target.is_secret;
  content.target = target.record.id;
  content.secret_manager_access.clear();
  return put_new(unit, owner, std::move(content), service_of_built_in(target));
}

Result<Record> edit_variable(Unit& unit, const NamedVariable& variable, const VariableEdit& given, Batch batch) {
  if (variable.type == VariableType::built_in) return built_in_is_fixed(variable, "edited");
  ORLOP_TRY(before, content_of(variable.record));
  VariableContent content = before;
  std::string aliased_key;
  if (content.type == VariableType::alias && given.value) {
    ORLOP_TRY(target, require_variable(unit, content.target));
    aliased_key = std::move(target.key);
  }
  ORLOP_CHECK(apply_edit(given, aliased_key, content));
  Violations violations;
  check_variable({content.key, content.value, content.mount_path, {}, false, false, {}}, "", violations);
  ORLOP_CHECK(refuse(std::move(violations)));
  if (content.secret_manager_access != before.secret_manager_access) {
    ORLOP_CHECK(require_secret_manager_access(unit, variable.owner, content.secret_manager_access));
  }
  content.updated_at = unit.now();
  // An alias of a service's built-in refers to the service.
  ORLOP_TRY(links, unit.stored().links(variable.record.id));
  const bool names_service =
      !content.target.is_nil() && !links.references.empty() && links.references.front() != content.target;
  const std::string key = content.key;
  ORLOP_TRY(stored, put_content(unit, variable.owner, variable.record, std::move(content), EventKind::edited,
                                names_service ? links.references.front() : Id{}, batch));
  if (key != before.key) ORLOP_CHECK(rename_overrides(unit, variable.record.id, key));
  if (batch == Batch::single) ORLOP_CHECK(mark_reached(unit, variable.owner));
  return std::move(stored);
}

Result<void> finish_batch(Unit& unit, const Record& owner, BatchReferences references) {
  if (references == BatchReferences::none) return mark_reached(unit, owner);
  ORLOP_TRY(owners, owners_of(unit, owner));
  VisibleVariables visible;
  ORLOP_CHECK(read_visible(unit, owners, Siblings::all, visible));
  const std::string cycle = find_cycle(visible.variables);
  if (!cycle.empty()) return make_error(ErrorCode::invalid, "variables refer to each other in a cycle: " + cycle);
  return mark_reached(unit, owner);
}

Result<void> delete_variable(Unit& unit, const NamedVariable& variable) {
  if (variable.type == VariableType::built_in) return built_in_is_fixed(variable, "deleted");
  ORLOP_CHECK(erase_with_dependents(unit, variable.record, 0));
  return mark_reached(unit, variable.owner);
}

}  // namespace orlop
