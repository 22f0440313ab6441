// An operation set: operations that belong together, the plain verbs that they answer in another way, and what a new
// record needs beside itself. Each file operations/<folder>/<noun>.cpp defines one,
// `operation_sets::<folder>::<noun>::set`; the build writes the list of all sets from the names of these files
// (registry.h). What several sets use is in operations/<folder>/parts/.
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

// Which families a set, or a part of it, is for: all that fit each of the three. The default fits every family.
struct FamilyFilter {
  MachineKind machine = MachineKind::none;     // none: of any kind
  std::uint8_t kinds = every_kind;             // of services: bits of ServiceKind
  std::array<std::string_view, 3> names = {};  // Family::name; all empty: of any name

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

// An operation of some kinds of services only.
struct KindOperation {
  std::uint8_t kinds = every_kind;
  Operation operation;
};

// The set's answer to a plain verb, in the place of the one in records/verbs.h: deleting a deployed service is a
// deployment.
struct ReplacedVerb {
  Verb verb;
  Handler handle = nullptr;
  std::span<const Field> query = {};  // beside the plain verb's own
  FamilyFilter only = {};             // of the set's families
  std::optional<Question> asks = {};  // as in Operation
};

// A record that was just put.
struct Creation {
  const Family& family;
  const Record& record;
  std::uint32_t plan_flags = 0;  // bits of PlanFlag that follow from the record
  Id stage = {};                 // of a service: the stage that it joins; nil: that of its kind
  bool is_copy = false;          // a part of a copy that was admitted as a whole
};

struct OperationSet {
  // Nothing: the set's operations belong to no family, and their paths stand alone.
  std::optional<FamilyFilter> families = {};
  std::span<const Operation> operations = {};
  std::span<const KindOperation> operations_by_kind = {};
  std::span<const ReplacedVerb> replaced = {};
  // Puts what a new record of the families needs beside itself: its machine, its default stages. Sets are called in the
  // order of their files' names.
  Result<void> (*created)(Unit& unit, const Creation& creation) = nullptr;
  // Of families with MachineKind::schedule, as Hooks::due and Hooks::answered (unit/unit.h). `due` also of jobs
  // that have been deployed, stopped or uninstalled.
  decltype(Hooks::due) due = nullptr;
  decltype(Hooks::answered) answered = nullptr;
  // The class of python/orlop/resources/actions.py that has these operations as methods; "" if they are called by
  // request() only.
  std::string_view python_class = {};

  constexpr bool serves(const Family& family) const { return families && families->fits(family); }
};

}  // namespace orlop
