// Images, charts and commits of the scripted external systems of a simulation, found by registry or repository and by
// name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "wire/writer.h"

namespace orlop {

enum class SourceKind : std::uint8_t { image, chart, branch };
inline constexpr std::size_t source_kind_count = 3;

// A tag of an image, a version of a chart, or a commit of a branch.
struct SourceItem {
  std::string id;
  std::string digest;   // of a tag; empty if not given
  std::string message;  // this and the rest: of a commit
  std::string author;
  std::string tag;
  Instant created_at;
};

// The tags of one image, versions of one chart or commits of one branch, in the order in which they were added.
class SourceItems {
 public:
  // Adds the item, or replaces the one with this id.
  void put(SourceItem item);
  // Removes the items whose id matches one of the patterns.
  void remove(const std::vector<std::string>& patterns);
  // Returns the item with this id or this digest; null if none.
  const SourceItem* find(std::string_view id) const;
  const std::vector<SourceItem>& all() const { return items_; }

 private:
  std::vector<SourceItem> items_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

struct SourceEntry {
  std::string owner;  // pattern for the name or URL of the registry or Helm repository; URL of the git repository
  std::string name;   // of the image, chart or branch
  SourceItems items;
  std::uint64_t number = 0;  // counts additions
};

// Additions and removals of one entry.
struct SourceEdit {
  SourceKind kind = SourceKind::image;
  std::string owner;
  std::string name;
  std::vector<SourceItem> added;
  std::vector<std::string> removed;  // patterns
};

// Reads one entry, or {"sources": [...]}. `now`: time of commits that have none. Error invalid, with the member, its
// value and the values allowed.
Result<std::vector<SourceEdit>> read_source_edits(const Value& given, Instant now);

// Removes ".git" and "/" from the end of a URL, so that a git repository has one name.
std::string_view plain_git_url(std::string_view url);

class SourceCatalog {
 public:
  using ByOwner = std::map<std::string, SourceEntry, std::less<>>;
  using ByName = std::map<std::string, ByOwner, std::less<>>;

  // Removes, then adds.
  void apply(const SourceEdit& edit);
  bool is_empty() const { return last_ == 0; }
  std::size_t size() const;
  const ByName& entries(SourceKind kind) const { return entries_[static_cast<std::size_t>(kind)]; }
  // Reports whether there is an entry of the registry or repository: then what it does not list does not exist.
  // `other`: its second name.
  bool describes(SourceKind kind, std::string_view owner, std::string_view other) const;
  // Returns the entries of one image or chart in a registry or Helm repository, or of one branch of a git repository.
  std::vector<const SourceEntry*> find(SourceKind kind, std::string_view name, std::string_view owner,
                                       std::string_view other) const;
  // Returns the branches of a git repository, in the order of their additions.
  std::vector<const SourceEntry*> branches(std::string_view url) const;
  // Writes {"sources": [...]}, as read_source_edits() reads it.
  void write(Writer& out) const;

 private:
  std::array<ByName, source_kind_count> entries_;
  std::array<std::map<std::string, std::size_t, std::less<>>, source_kind_count> owners_;  // number of entries of each
  std::uint64_t last_ = 0;
};

}  // namespace orlop
