// Variables that a project, an environment or a service sees: its own, those of its ancestors, and the built-ins.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/family.h"
#include "resolution/built_in.h"
#include "resolution/resolved_variable.h"
#include "unit/unit.h"

namespace orlop {

// Reports whether records of this family can own variables: projects, environments, the kinds of services that run
// code, and agentic workflows.
bool has_variables(const Family& family);
// Scope of variables in records of the family: "PROJECT", "CONTAINER".
std::string_view variable_scope_of(const Family& family);

// Owners of visible variables, outermost first: the project, then the environment, then the service.
struct VariableOwners {
  std::vector<Record> records;

  const Record& project() const { return records.front(); }
  const Record* environment() const { return records.size() > 1 ? &records[1] : nullptr; }
  const Record* service() const { return records.size() > 2 ? &records[2] : nullptr; }
  const Record& nearest() const { return records.back(); }
  VariableScope scope() const { return static_cast<VariableScope>(records.size()); }
};
// `record`: a project, an environment or a service.
Result<VariableOwners> owners_of(Unit& unit, Record record);

// Returns the variables directly in this owner, ascending by id.
Result<std::vector<Record>> own_variables(Unit& unit, const Id& owner);

// Services of the environment whose built-ins are read.
enum class Siblings : std::uint8_t { all, none };

// Returns the built-ins that the nearest owner sees. Values of secrets are empty unless `with_secrets`.
Result<std::vector<BuiltIn>> visible_built_ins(Unit& unit, const VariableOwners& owners, bool with_secrets,
                                               Siblings siblings = Siblings::all);

// Returns the built-ins of this record alone.
Result<std::vector<BuiltIn>> built_ins_of(Unit& unit, const Record& owner, bool with_secrets);

// A variable found by its id: a record, or a built-in.
struct NamedVariable {
  Record owner;   // record that owns it
  Record record;  // for a built-in only the id
  std::string key;
  std::string mount_path;
  VariableScope scope = VariableScope::built_in;
  VariableType type = VariableType::built_in;
  bool is_secret = false;
};
// Error not_found.
Result<NamedVariable> require_variable(Unit& unit, const Id& id);

// Input of resolve.h, with the texts that it refers to.
struct VisibleVariables {
  std::vector<Record> records;
  std::vector<BuiltIn> built_ins;
  std::deque<std::string> texts;
  std::vector<Variable> variables;
};
// Reads the variables with the values of secrets: for a step, or to check references of a new value.
Result<void> read_visible(Unit& unit, const VariableOwners& owners, Siblings siblings, VisibleVariables& into);
// Reads only the variables that a service sees in addition to its environment, with the same siblings.
Result<void> read_own(Unit& unit, const Record& service, Siblings siblings, VisibleVariables& into);

}  // namespace orlop
