#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/family_number.h"
#include "model/registry.h"
#include "records/service_count.h"
#include "records/variables/reach.h"
#include "records/variables/visible_variables.h"

namespace orlop {
namespace {

// Members from which built-in variables of every service below are made.
struct SourceMember {
  std::string_view family;
  std::string_view member;
};
constexpr SourceMember source_members[] = {
    {"organization", "name"},      {"project", "name"}, {"environment", "name"},
    {"environment", "cluster_id"}, {"cluster", "name"}, {"cluster", "region"},
};

bool is_source(const Family& family, std::span<const std::string> changed) {
  return std::ranges::any_of(source_members, [&](const SourceMember& source) {
    return source.family == family.name && std::ranges::find(changed, source.member) != changed.end();
  });
}

Result<std::vector<Record>> related(Unit& unit, RecordRange::By by, const Id& key, std::string_view family) {
  RecordRange range;
  range.by = by;
  range.key = key;
  range.family = find_family(family)->number;
  range.fields = RecordRange::Fields::no_text;
  return unit.records(range);
}

// Returns the owners of the services that see built-ins of the record.
Result<std::vector<Record>> holders_below(Unit& unit, const Family& family, const Record& record) {
  if (family.name == "organization") return related(unit, RecordRange::By::parent, record.id, "project");
  if (family.name == "cluster") return related(unit, RecordRange::By::reference, record.id, "environment");
  return std::vector<Record>{record};
}

// Marks the services of the environment that name the service in an alias, override or text.
Result<void> mark_users(Unit& unit, const Record& service) {
  const std::string mark = built_in_mark(service.id);
  std::unordered_set<Id> owners;
  const auto names_it = [&](const Record& variable) {
    return variable.body.find(mark) != std::string::npos || variable.secrets.find(mark) != std::string::npos;
  };
  ORLOP_TRY(links, related(unit, RecordRange::By::reference, service.id, "variable"));
  for (const Record& link : links) owners.insert(link.parent);
  ORLOP_TRY(machines, unit.machines(service.parent));
  std::vector<Id> holders{service.parent};
  for (const Machine& machine : machines) {
    if (is_service(machine.family)) holders.push_back(machine.id);
  }
  for (const Id& holder : holders) {
    if (owners.contains(holder)) continue;
    ORLOP_TRY(variables, own_variables(unit, holder));
    if (std::ranges::any_of(variables, names_it)) owners.insert(holder);
  }
  for (const Id& holder : holders) {
    ORLOP_TRY(record, owners.contains(holder) ? unit.record(holder) : Result<Shared<Record>>(Shared<Record>()));
    if (record) ORLOP_CHECK(mark_reached(unit, *record));
  }
  return {};
}

bool are_same(const std::vector<BuiltIn>& left, const std::vector<BuiltIn>& right) {
  return std::ranges::equal(left, right, [](const BuiltIn& one, const BuiltIn& other) {
    return one.key == other.key && one.value == other.value;
  });
}

}  // namespace

Result<std::vector<BuiltIn>> built_ins_before(Unit& unit, const Family& family, const Record& record,
                                              std::span<const std::string> changed) {
  const bool may_change = is_service(family) && has_built_ins(family.service_kind) && !changed.empty();
  return may_change ? built_ins_of(unit, record, false) : Result<std::vector<BuiltIn>>(std::vector<BuiltIn>());
}

Result<void> mark_built_ins(Unit& unit, const Family& family, const Record& record,
                            std::span<const std::string> changed, const std::vector<BuiltIn>& before) {
  if (is_source(family, changed)) {
    ORLOP_TRY(holders, holders_below(unit, family, record));
    return mark_reached(unit, holders);
  }
  if (!is_service(family) || !has_built_ins(family.service_kind)) return {};
  ORLOP_TRY(after, built_ins_of(unit, record, false));
  return are_same(before, after) ? Result<void>() : mark_users(unit, record);
}

}  // namespace orlop
