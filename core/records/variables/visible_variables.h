// The variables that a project, an environment or a service sees: its own, those of what holds it, and the built-ins.
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

// Whether variables can lie in records of this family: projects, environments, the kinds of services that run code, and
// agentic workflows.
bool has_variables(const Family& family);
// The scope of such variables: "PROJECT", "CONTAINER".
std::string_view variable_scope_of(const Family& family);

// What holds variables, from the widest to the nearest: the project, then the environment, then the service.
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

// The records of variables that lie in this owner itself, ascending by id.
Result<std::vector<Record>> own_variables(Unit& unit, const Id& owner);

// Which services of the environment are asked for their built-ins.
enum class Siblings : std::uint8_t { all, none };

// The built-ins that the nearest owner sees. Values of secrets are left empty unless `with_secrets`.
Result<std::vector<BuiltIn>> visible_built_ins(Unit& unit, const VariableOwners& owners, bool with_secrets,
                                               Siblings siblings = Siblings::all);

// Those that lie in this record alone.
Result<std::vector<BuiltIn>> built_ins_of(Unit& unit, const Record& owner, bool with_secrets);

// A variable by its id: a record, or a built-in.
struct NamedVariable {
  Record owner;   // what it lies in
  Record record;  // of a built-in only the id
  std::string key;
  std::string mount_path;
  VariableScope scope = VariableScope::built_in;
  VariableType type = VariableType::built_in;
  bool is_secret = false;
};
// Error not_found.
Result<NamedVariable> require_variable(Unit& unit, const Id& id);

// What resolve.h needs, with the texts that it refers to.
struct VisibleVariables {
  std::vector<Record> records;
  std::vector<BuiltIn> built_ins;
  std::deque<std::string> texts;
  std::vector<Variable> variables;
};
// For a step, or for a look at the references of what is written. With the values of secrets.
Result<void> read_visible(Unit& unit, const VariableOwners& owners, Siblings siblings, VisibleVariables& into);
// Only what a service sees beside what its environment does, read with the same siblings.
Result<void> read_own(Unit& unit, const Record& service, Siblings siblings, VisibleVariables& into);

}  // namespace orlop
