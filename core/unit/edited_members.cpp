#include "unit/edited_members.h"

namespace orlop {

std::vector<std::string> changed_members(const Value& before, const Value& after) {
  std::vector<std::string> changed;
  for (const Member& member : after.members()) {
    if (member.name == "updated_at") continue;
    const Value* old = before.find(member.name);
    if (old == nullptr || *old != member.value) changed.emplace_back(member.name);
  }
  for (const Member& member : before.members()) {
    if (after.find(member.name) == nullptr) changed.emplace_back(member.name);
  }
  return changed;
}

}  // namespace orlop
