#include "sim/sources/catalog.h"

#include <algorithm>
#include <numeric>

#include "deploy/driver/scripted_driver.h"

namespace orlop {
namespace {

// A git repository has one URL; registries and Helm repositories match patterns.
bool owns(SourceKind kind, std::string_view pattern, std::string_view owner, std::string_view other) {
  return kind == SourceKind::branch ? pattern == owner : matches(pattern, owner) || matches(pattern, other);
}

void write_commit(Writer& out, const SourceItem& item) {
  out.begin_object().field("id", item.id);
  if (!item.message.empty()) out.field("message", item.message);
  if (!item.author.empty()) out.field("author", item.author);
  if (!item.tag.empty()) out.field("tag", item.tag);
  out.field("created_at", item.created_at).end_object();
}

void write_entry(Writer& out, SourceKind kind, const SourceEntry& entry) {
  constexpr std::string_view names[][3] = {
      {"image", "registry", "tags"}, {"chart", "repository", "versions"}, {"branch", "git", "commits"}};
  const auto& [name, owner, items] = names[static_cast<std::size_t>(kind)];
  out.begin_object().field(name, entry.name).field(owner, entry.owner).key(items).begin_list();
  for (const SourceItem& item : entry.items.all()) {
    if (kind == SourceKind::branch) write_commit(out, item);
    else if (!item.digest.empty()) out.begin_object().field("tag", item.id).field("digest", item.digest).end_object();
    else out.value(item.id);
  }
  out.end_list().end_object();
}

}  // namespace

void SourceItems::put(SourceItem item) {
  const auto [place, is_new] = places_.emplace(item.id, items_.size());
  if (is_new) items_.push_back(std::move(item));
  else items_[place->second] = std::move(item);
}

void SourceItems::remove(const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  std::erase_if(items_, [&](const SourceItem& item) {
    return std::ranges::any_of(patterns, [&](const std::string& pattern) { return matches(pattern, item.id); });
  });
  places_.clear();
  for (std::size_t at = 0; at < items_.size(); ++at) places_.emplace(items_[at].id, at);
}

const SourceItem* SourceItems::find(std::string_view id) const {
  if (const auto found = places_.find(id); found != places_.end()) return &items_[found->second];
  const auto same = id.starts_with("sha256:") ? std::ranges::find(items_, id, &SourceItem::digest) : items_.end();
  return same == items_.end() ? nullptr : &*same;
}

void SourceCatalog::apply(const SourceEdit& edit) {
  const auto kind = static_cast<std::size_t>(edit.kind);
  SourceEntry& entry = entries_[kind][edit.name][edit.owner];
  if (entry.number == 0) {
    entry.owner = edit.owner;
    entry.name = edit.name;
    entry.number = ++last_;
    ++owners_[kind][edit.owner];
  }
  entry.items.remove(edit.removed);
  for (const SourceItem& item : edit.added) entry.items.put(item);
}

std::size_t SourceCatalog::size() const {
  std::size_t size = 0;
  for (const ByName& names : entries_) {
    for (const auto& [name, owners] : names) {
      size = std::accumulate(owners.begin(), owners.end(), size, [](std::size_t sum, const auto& owner) {
        return sum + 1 + owner.second.items.all().size();
      });
    }
  }
  return size;
}

bool SourceCatalog::describes(SourceKind kind, std::string_view owner, std::string_view other) const {
  const auto& owners = owners_[static_cast<std::size_t>(kind)];
  if (kind == SourceKind::branch) return owners.contains(owner);
  return std::ranges::any_of(owners, [&](const auto& entry) { return owns(kind, entry.first, owner, other); });
}

std::vector<const SourceEntry*> SourceCatalog::find(SourceKind kind, std::string_view name, std::string_view owner,
                                                    std::string_view other) const {
  std::vector<const SourceEntry*> found;
  const auto named = entries(kind).find(name);
  if (named == entries(kind).end()) return found;
  for (const auto& [pattern, entry] : named->second) {
    if (owns(kind, pattern, owner, other)) found.push_back(&entry);
  }
  return found;
}

std::vector<const SourceEntry*> SourceCatalog::branches(std::string_view url) const {
  std::vector<const SourceEntry*> found;
  for (const auto& [name, owners] : entries(SourceKind::branch)) {
    const auto entry = owners.find(url);
    if (entry != owners.end()) found.push_back(&entry->second);
  }
  std::ranges::sort(found, {}, &SourceEntry::number);
  return found;
}

void SourceCatalog::write(Writer& out) const {
  std::vector<std::pair<SourceKind, const SourceEntry*>> all;
  for (std::size_t kind = 0; kind < source_kind_count; ++kind) {
    for (const auto& [name, owners] : entries_[kind]) {
      for (const auto& [owner, entry] : owners) all.emplace_back(static_cast<SourceKind>(kind), &entry);
    }
  }
  std::ranges::sort(all, {}, [](const auto& entry) { return entry.second->number; });
  out.begin_object().key("sources").begin_list();
  for (const auto& [kind, entry] : all) write_entry(out, kind, *entry);
  out.end_list().end_object();
}

}  // namespace orlop
