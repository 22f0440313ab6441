#include "store/memory_table.h"

#include <algorithm>
#include <optional>

#include "store/inline_vector.h"

namespace orlop {
namespace {

// Usual number of families per link source: an environment has containers, databases, jobs and deployment requests.
constexpr std::uint32_t usual_groups = 4;
constexpr std::size_t usual_count = 8;  // results of a query

}  // namespace

Versions<Linked>& LinkEntries::make(const Link& link, Place& place) {
  Sources::Entry& source = sources_.make(link.from);
  Group* group = group_of(source.value, link.family);
  if (group == nullptr) group = &source.value.emplace_back(Group{link.family, {}});
  Versions<Linked>& versions = group->members[link.to];
  place.from = &source;  // by member: copying a temporary would stall on its fresh stores
  place.family = link.family;
  place.to = link.to;
  return versions;
}

LinkEntries::Place LinkEntries::find(const Link& link) {
  Sources::Entry* const source = sources_.find(link.from);
  Group* const group = source == nullptr ? nullptr : group_of(source->value, link.family);
  if (group == nullptr || group->members.find(link.to) == nullptr) return {};
  return {source, link.family, link.to};
}

void LinkEntries::erase(const Place& place) {
  std::vector<Group>& groups = place.from->value;
  Group* const group = group_of(groups, place.family);
  if (group == nullptr) return;
  group->members.erase(place.to);
  if (group->members.empty()) groups.erase(groups.begin() + (group - groups.data()));
  if (groups.empty()) sources_.erase(Id(place.from->key));
}

void LinkEntries::copy_from(const LinkEntries& other, std::uint64_t snapshot) {
  sources_.copy_from(other.sources_, [snapshot](const std::vector<Group>& groups) {
    std::vector<Group> copied;
    for (const Group& group : groups) {
      Members members;
      members.copy_from(group.members,
                        [snapshot](const Versions<Linked>& versions) { return copy_of(versions, snapshot); });
      if (!members.empty()) copied.push_back({group.family, std::move(members)});
    }
    return copied.empty() ? std::nullopt : std::optional(std::move(copied));
  });
}

void LinkEntries::collect(const Id& from, FamilyNumber family, const Id& after, std::size_t limit,
                          std::uint64_t snapshot, std::vector<Id>& out) const {
  using Cursor = Members::Cursor;
  const Sources::Entry* const source = sources_.find(from);
  if (source == nullptr) return;
  const auto take = [&](Cursor& cursor) {
    if (cursor.value().at(snapshot) != nullptr) {
      out.push_back(cursor.key());
      --limit;
    }
    cursor.next();
  };
  InlineVector<Cursor, usual_groups> cursors;
  for (const Group& group : source->value) {
    if (family != 0 && family != group.family) continue;
    if (const Cursor cursor = group.members.after(after); !cursor.is_end()) cursors.push_back(cursor);
  }
  if (!cursors.empty()) out.reserve(usual_count);
  while (!cursors.empty() && limit > 0) {
    const auto least = cursors.size() == 1
                           ? cursors.begin()
                           : std::min_element(cursors.begin(), cursors.end(),
                                              [](const Cursor& a, const Cursor& b) { return a.key() < b.key(); });
    take(*least);
    if (least->is_end()) {
      *least = cursors.back();
      cursors.resize(cursors.size() - 1);
    }
  }
}

}  // namespace orlop
