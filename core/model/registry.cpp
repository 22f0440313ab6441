#include "model/registry.h"

#include <algorithm>

namespace orlop {

const Family* find_family(std::string_view name) {
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      if (family->name == name) return family;
    }
  }
  return nullptr;
}

const Family* find_family(FamilyNumber number) {
  static const auto by_number = [] {
    std::vector<const Family*> made;
    for (const auto families : {all_families(), internal_families()}) {
      for (const Family* family : families) {
        if (family->number >= made.size()) made.resize(family->number + std::size_t{1});
        made[family->number] = family;
      }
    }
    return made;
  }();
  return number < by_number.size() ? by_number[number] : nullptr;
}

MachineKind machine_kind(FamilyNumber number) {
  const Family* family = find_family(number);
  return family == nullptr ? MachineKind::none : family->machine;
}

const Family* parent_of(const Family& family) { return family.parent.empty() ? nullptr : find_family(family.parent); }

std::vector<const Family*> parents_of(const Family& family) {
  std::vector<const Family*> parents;
  if (const Family* parent = parent_of(family)) parents.push_back(parent);
  for (const std::string_view name : family.parents) {
    if (const Family* parent = name.empty() ? nullptr : find_family(name)) parents.push_back(parent);
  }
  return parents;
}

bool may_be_parent(const Family& parent, const Family& family) {
  return family.parent == parent.name || std::ranges::find(family.parents, parent.name) != family.parents.end();
}

bool is_root(const Family& family) { return family.parent.empty() && family.parents.front().empty(); }

bool is_service(const Family& family) { return family.machine == MachineKind::service; }

bool is_service(FamilyNumber number) { return machine_kind(number) == MachineKind::service; }

bool is_counted(FamilyNumber number) {
  const Family* family = find_family(number);
  return family != nullptr && family->is_counted;
}

}  // namespace orlop
