#include "check/fault_list.h"

#include "model/registry.h"
#include "wire/writer.h"

namespace orlop {

std::string family_text(FamilyNumber family) {
  const Family* const found = find_family(family);
  return found == nullptr ? "family " + std::to_string(family) : std::string(found->name);
}

void FaultList::add(FamilyNumber family, const Id& id, std::string fault, std::string_view advice, bool is_repairable) {
  add({family_text(family), to_text(id), std::move(fault), std::string(advice), is_repairable});
}

std::string faults_json(const std::vector<FoundFault>& faults) {
  Writer out;
  out.begin_list();
  for (const FoundFault& found : faults) {
    out.begin_object()
        .field("id", found.id)
        .field("type", found.type)
        .field("fault", found.fault)
        .field("advice", found.advice);
    out.field("is_repairable", found.is_repairable).end_object();
  }
  out.end_list();
  return std::move(out).take();
}

}  // namespace orlop
