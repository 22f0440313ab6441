// An operation set: operations that belong together, the plain verbs that they replace, and additions to new records.
// Each file operations/<folder>/<noun>.cpp defines one, `operation_sets::<folder>::<noun>::set`; the build writes the
// list of all sets from the names of these files (registry.h). Code that several sets share is in
// operations/<folder>/parts/.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "endpoints/services/parts/service_kind.h"
#include "model/family.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Families that a set, or a part of it, serves: those that fit all three members. The default fits every family.
struct FamilyFilter {
  MachineKind machine = MachineKind::none;     // none: any kind
  std::uint8_t kinds = every_kind;             // kinds of services: bits of ServiceKind
  std::array<std::string_view, 3> names = {};  // Family::name; all empty: any name

  constexpr bool fits(const Family& family) const {
    if (machine != MachineKind::none && family.machine != machine) return false;
    const ServiceKindNames* kind = names_of_kind(family);
    if (kind != nullptr && !is_one_of(kinds, kind->kind)) return false;
    return names.front().empty() || std::ranges::find(names, family.name) != names.end();
  }
};

constexpr FamilyFilter services_of(std::uint8_t kinds) { return {.machine = MachineKind::service, .kinds = kinds}; }
inline constexpr FamilyFilter all_services = services_of(every_kind);
inline constexpr FamilyFilter deployable_services = services_of(deployable_kinds);
constexpr FamilyFilter families_named(std::string_view first, std::string_view second = {},
                                      std::string_view third = {}) {
  return {.names = {first, second, third}};
}

struct KindOperation {
  std::uint8_t kinds = every_kind;
  Operation operation;
};

// Handler that replaces a plain verb of records/verbs.h: deleting a deployed service is a deployment.
struct ReplacedVerb {
  Verb verb;
  Handler handle = nullptr;
  std::span<const Field> query = {};  // in addition to the plain verb's
  FamilyFilter only = {};             // among the set's families
  std::optional<Question> asks = {};  // as in Operation
};

struct Creation {
  const Family& family;
  const Record& record;
  std::uint32_t plan_flags = 0;  // bits of PlanFlag that follow from the record
  Id stage = {};                 // stage that a service joins; nil: the default stage of its kind
  bool is_copy = false;          // part of a copy that was admitted as a whole
};

struct OperationSet {
  // nullopt: the operations belong to no family, and their paths are absolute.
  std::optional<FamilyFilter> families = {};
  std::span<const Operation> operations = {};
  std::span<const KindOperation> operations_by_kind = {};
  std::span<const ReplacedVerb> replaced = {};
  // Puts further rows for a new record of the families: its machine, its default stages. Sets are called in the order
  // of their files' names.
  Result<void> (*created)(Unit& unit, const Creation& creation) = nullptr;
  // Hooks::due and Hooks::answered (unit/unit.h) for families with MachineKind::schedule. `due` is also called for
  // jobs that were deployed, stopped or uninstalled.
  decltype(Hooks::due) due = nullptr;
  decltype(Hooks::answered) answered = nullptr;
  // Class in python/orlop/resources/actions.py with these operations as methods; "" if only request() calls them.
  std::string_view python_class = {};

  constexpr bool serves(const Family& family) const { return families && families->fits(family); }
};

}  // namespace orlop
