#include "store/memory_table.h"

#include <algorithm>
#include <iterator>

namespace orlop {

LinkEntries::Place LinkEntries::make(const Link& link) {
  if (std::find(families_.begin(), families_.end(), link.family) == families_.end()) families_.push_back(link.family);
  Groups::value_type& group = *groups_.try_emplace(Group{link.from, link.family}).first;
  // Ids of the engine ascend, so that the end is nearly always the place.
  return {&group, &*group.second.try_emplace(group.second.end(), link.to)};
}

LinkEntries::Place LinkEntries::find(const Link& link) {
  const auto group = groups_.find(Group{link.from, link.family});
  if (group == groups_.end()) return {};
  const auto member = group->second.find(link.to);
  return member == group->second.end() ? Place{} : Place{&*group, &*member};
}

void LinkEntries::erase(const Place& place) {
  Members& members = place.group->second;
  members.erase(place.member->first);
  if (members.empty()) groups_.erase(place.group->first);
}

void LinkEntries::collect(const Id& from, FamilyNumber family, const Id& after, std::size_t limit, std::uint64_t snapshot,
                          std::vector<Id>& out) const {
  struct Cursor {
    Members::const_iterator at;
    Members::const_iterator end;
  };
  const auto open = [&](FamilyNumber number) -> Cursor {
    const auto group = groups_.find(Group{from, number});
    if (group == groups_.end()) return {};
    return {group->second.upper_bound(after), group->second.end()};
  };
  const auto take = [&](const Members::value_type& member) {
    if (member.second.at(snapshot) == nullptr) return;
    out.push_back(member.first);
    --limit;
  };
  if (family != 0) {
    for (Cursor cursor = open(family); cursor.at != cursor.end && limit > 0; ++cursor.at) take(*cursor.at);
    return;
  }
  std::vector<Cursor> cursors;
  for (FamilyNumber number : families_) {
    if (const Cursor cursor = open(number); cursor.at != cursor.end) cursors.push_back(cursor);
  }
  while (!cursors.empty() && limit > 0) {
    const auto least = std::min_element(cursors.begin(), cursors.end(),
                                        [](const Cursor& a, const Cursor& b) { return a.at->first < b.at->first; });
    take(*least->at);
    if (++least->at == least->end) cursors.erase(least);
  }
}

}  // namespace orlop
