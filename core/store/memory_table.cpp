#include "store/memory_table.h"

#include <algorithm>
#include <iterator>

namespace orlop {

Versions<Linked>& LinkEntries::make(const Link& link) {
  if (std::find(families_.begin(), families_.end(), link.family) == families_.end()) families_.push_back(link.family);
  Members& members = groups_[Group{link.from, link.family}];
  // Ids of the engine ascend, so that the end is nearly always the place.
  return members.try_emplace(members.end(), link.to)->second;
}

const Versions<Linked>* LinkEntries::find(const Link& link) const {
  const auto group = groups_.find(Group{link.from, link.family});
  if (group == groups_.end()) return nullptr;
  const auto member = group->second.find(link.to);
  return member == group->second.end() ? nullptr : &member->second;
}

Versions<Linked>* LinkEntries::find(const Link& link) { return const_cast<Versions<Linked>*>(std::as_const(*this).find(link)); }

void LinkEntries::erase(const Link& link) {
  const auto group = groups_.find(Group{link.from, link.family});
  if (group == groups_.end()) return;
  group->second.erase(link.to);
  if (group->second.empty()) groups_.erase(group);
}

void LinkEntries::collect(const Id& from, FamilyNumber family, const Id& after, std::size_t limit, std::uint64_t snapshot,
                          std::vector<Id>& out) const {
  struct Cursor {
    Members::const_iterator at;
    Members::const_iterator end;
  };
  std::vector<Cursor> cursors;
  const auto open = [&](FamilyNumber number) {
    const auto group = groups_.find(Group{from, number});
    if (group == groups_.end()) return;
    const auto first = group->second.upper_bound(after);
    if (first != group->second.end()) cursors.push_back({first, group->second.end()});
  };
  if (family != 0) {
    open(family);
  } else {
    for (FamilyNumber number : families_) open(number);
  }
  while (!cursors.empty() && limit > 0) {
    const auto least = std::min_element(cursors.begin(), cursors.end(),
                                        [](const Cursor& a, const Cursor& b) { return a.at->first < b.at->first; });
    if (least->at->second.at(snapshot) != nullptr) {
      out.push_back(least->at->first);
      --limit;
    }
    if (++least->at == least->end) cursors.erase(least);
  }
}

}  // namespace orlop
