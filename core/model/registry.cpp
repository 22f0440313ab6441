#include "model/registry.h"

#include <algorithm>

namespace orlop {

const Family* find_family(std::string_view name) {
  for (const Family* family : all_families()) {
    if (family->name == name) return family;
  }
  return nullptr;
}

const Family* find_family(FamilyNumber number) {
  const auto families = all_families();
  const auto found = std::ranges::lower_bound(families, number, {}, &Family::number);
  return found != families.end() && (*found)->number == number ? *found : nullptr;
}

const Family* parent_of(const Family& family) { return family.parent.empty() ? nullptr : find_family(family.parent); }

bool is_service(const Family& family) { return family.machine == MachineKind::service; }

bool is_counted(FamilyNumber number) {
  const Family* family = find_family(number);
  return family != nullptr && family->is_counted;
}

}  // namespace orlop
