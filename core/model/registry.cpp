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
  const auto families = number < first_own_number ? all_families() : internal_families();
  const auto found = std::ranges::lower_bound(families, number, {}, &Family::number);
  return found != families.end() && (*found)->number == number ? *found : nullptr;
}

const Family* parent_of(const Family& family) { return family.parent.empty() ? nullptr : find_family(family.parent); }

bool is_service(const Family& family) { return family.machine == MachineKind::service; }

}  // namespace orlop
