#include "store/memory_table.h"

#include <algorithm>
#include <optional>

namespace orlop {

Versions<Linked>& LinkEntries::make(const Link& link, Place& place) {
  if (std::find(families_.begin(), families_.end(), link.family) == families_.end()) families_.push_back(link.family);
  Groups::Entry& group = groups_.make(Group{link.from, link.family});
  Versions<Linked>& versions = group.value[link.to];
  place = {&group, link.to};
  return versions;
}

LinkEntries::Place LinkEntries::find(const Link& link) {
  Groups::Entry* const group = groups_.find(Group{link.from, link.family});
  if (group == nullptr || group->value.find(link.to) == nullptr) return {};
  return {group, link.to};
}

void LinkEntries::erase(const Place& place) {
  Members& members = place.group->value;
  members.erase(place.to);
  if (members.empty()) groups_.erase(Group(place.group->key));
}

void LinkEntries::copy_from(const LinkEntries& other, std::uint64_t snapshot) {
  families_ = other.families_;
  groups_.copy_from(other.groups_, [snapshot](const Members& members) {
    Members copied;
    copied.copy_from(members, [snapshot](const Versions<Linked>& versions) { return copy_of(versions, snapshot); });
    return copied.empty() ? std::nullopt : std::optional(std::move(copied));
  });
}

void LinkEntries::collect(const Id& from, FamilyNumber family, const Id& after, std::size_t limit, std::uint64_t snapshot,
                          std::vector<Id>& out) const {
  using Cursor = Members::Cursor;
  const auto open = [&](FamilyNumber number) -> std::optional<Cursor> {
    const Groups::Entry* const group = groups_.find(Group{from, number});
    if (group == nullptr) return std::nullopt;
    const Cursor cursor = group->value.after(after);
    return cursor.is_end() ? std::nullopt : std::optional(cursor);
  };
  const auto take = [&](Cursor& cursor) {
    if (cursor.value().at(snapshot) != nullptr) {
      out.push_back(cursor.key());
      --limit;
    }
    cursor.next();
  };
  if (family != 0) {
    for (auto cursor = open(family); cursor && !cursor->is_end() && limit > 0;) take(*cursor);
    return;
  }
  std::vector<Cursor> cursors;
  for (FamilyNumber number : families_) {
    if (const auto cursor = open(number)) cursors.push_back(*cursor);
  }
  while (!cursors.empty() && limit > 0) {
    const auto least = std::min_element(cursors.begin(), cursors.end(), [](const Cursor& a, const Cursor& b) { return a.key() < b.key(); });
    take(*least);
    if (least->is_end()) cursors.erase(least);
  }
}

}  // namespace orlop
