// Checks input on images, charts and commits, the same for C, Python, HTTP and scenario files.
#include <algorithm>
#include <span>
#include <utility>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "model/form.h"
#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"
#include "sim/sources/catalog.h"

namespace orlop {
namespace {

constexpr std::size_t edits_max = 10'000;
constexpr std::size_t items_max = 100'000;
constexpr std::size_t removed_max = 1000;
constexpr std::size_t name_size_max = 1024;  // bytes
constexpr std::size_t digest_digits = 64;
constexpr std::string_view digest_prefix = "sha256:";

struct SourceForm {
  std::string_view name;
  std::string_view owner;
  std::string_view items;
};
// In the order of SourceKind.
constexpr SourceForm source_forms[] = {
    {"image", "registry", "tags"}, {"chart", "repository", "versions"}, {"git", "branch", "commits"}};
constexpr std::string_view tag_members[] = {"tag", "digest"};
constexpr std::string_view commit_members[] = {"id", "message", "author", "tag", "created_at"};

Result<std::string> read_name(const Value& given, const std::string& path) {
  if (given.is_text() && !given.as_text().empty() && given.as_text().size() <= name_size_max)
    return std::string(given.as_text());
  return invalid_member(path, "must be text of 1 to " + std::to_string(name_size_max) + " bytes, not " + shown(given));
}

// Returns the URL in the form in which git repositories are compared.
Result<std::string> read_git_url(const std::string& given, const std::string& path) {
  const std::string_view plain = plain_git_url(given);
  if (is_absolute_uri(plain) && plain.find("://") != std::string_view::npos) return std::string(plain);
  return invalid_member(
      path, "must be the URL of a git repository like https://github.com/acme/shop.git, not " + shown(Value(given)));
}

Result<void> check_source_members(const Value& given, std::span<const std::string_view> allowed,
                                  const std::string& path, std::string_view what) {
  for (const Member& member : given.members()) {
    if (std::ranges::find(allowed, member.name.view()) != allowed.end()) continue;
    return invalid_member(path + std::string(beginning(member.name.view(), 64)),
                          "is not a member of " + std::string(what) + nearest_hint(member.name, allowed));
  }
  return {};
}

bool is_digest(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  return text.starts_with(digest_prefix) && text.size() == digest_prefix.size() + digest_digits &&
         text.find_first_not_of(digits, digest_prefix.size()) == std::string_view::npos;
}

Result<SourceItem> read_tag(const Value& given, const std::string& path) {
  SourceItem item;
  ORLOP_CHECK(check_source_members(given, tag_members, path + ".", "a tag"));
  const Value* const tag = given.find("tag");
  if (tag == nullptr) return invalid_member(path + ".tag", "is required");
  ORLOP_TRY(name, read_name(*tag, path + ".tag"));
  item.id = std::move(name);
  const Value* const digest = given.find("digest");
  if (digest == nullptr) return item;
  if (!digest->is_text() || !is_digest(digest->as_text()))
    return invalid_member(path + ".digest",
                          "must be sha256: and 64 hexadecimal digits in lower case, not " + shown(*digest));
  item.digest = digest->as_text();
  return item;
}

Result<SourceItem> read_commit(const Value& given, const std::string& path, Instant now) {
  SourceItem item;
  item.created_at = now;
  ORLOP_CHECK(check_source_members(given, commit_members, path + ".", "a commit"));
  if (!given.has("id")) return invalid_member(path + ".id", "is required");
  for (const Member& member : given.members()) {
    const std::string at = path + "." + std::string(member.name.view());
    ORLOP_TRY(text, read_name(member.value, at));
    if (member.name.view() == "created_at") {
      const auto time = parse_instant(text);
      if (!time) return invalid_member(at, "must be a time like 2026-01-01T12:00:00Z, not " + shown(member.value));
      item.created_at = *time;
      continue;
    }
    (member.name.view() == "id"        ? item.id
     : member.name.view() == "message" ? item.message
     : member.name.view() == "author"  ? item.author
                                       : item.tag) = std::move(text);
  }
  return item;
}

Result<SourceItem> read_item(SourceKind kind, const Value& given, const std::string& path, Instant now) {
  if (given.is_object() && kind == SourceKind::image) return read_tag(given, path);
  if (given.is_object() && kind == SourceKind::branch) return read_commit(given, path, now);
  SourceItem item;
  ORLOP_TRY(name, read_name(given, path));
  item.id = std::move(name);
  item.created_at = now;
  return item;
}

Result<const Value*> read_list(const Value& given, const std::string& path, std::size_t most) {
  if (given.is_list() && given.items().size() <= most) return &given;
  return invalid_member(path, "must be a list of at most " + std::to_string(most) + " entries, not " + shown(given));
}

Result<SourceKind> kind_of_entry(const Value& given, const std::string& path) {
  if (!given.is_object()) return not_an_object(path, "the source", given);
  std::vector<SourceKind> found;
  for (std::size_t at = 0; at < source_kind_count; ++at) {
    if (given.find(source_forms[at].name) != nullptr) found.push_back(static_cast<SourceKind>(at));
  }
  if (found.size() == 1) return found.front();
  return invalid(path + (found.empty() ? "image, chart or git is required"
                                       : "image, chart and git must be given in entries of their own"));
}

Result<SourceEdit> read_edit(const Value& given, const std::string& path, Instant now) {
  ORLOP_TRY(kind, kind_of_entry(given, path));
  const SourceForm& form = source_forms[static_cast<std::size_t>(kind)];
  const std::string_view members[] = {form.name, form.owner, form.items, "removed"};
  ORLOP_CHECK(check_source_members(given, members, path, "a source that names " + std::string(form.name)));
  SourceEdit edit;
  edit.kind = kind;
  ORLOP_TRY(name, read_name(*given.find(form.name), path + std::string(form.name)));
  edit.name = std::move(name);
  edit.owner = "*";
  if (const Value* const owner = given.find(form.owner)) {
    ORLOP_TRY(text, read_name(*owner, path + std::string(form.owner)));
    edit.owner = std::move(text);
  } else if (kind == SourceKind::branch) {
    edit.owner = "main";
  }
  if (kind == SourceKind::branch) {
    ORLOP_TRY(url, read_git_url(edit.name, path + "git"));
    edit.name = std::exchange(edit.owner, std::move(url));
  }
  if (const Value* const items = given.find(form.items)) {
    const std::string at = path + std::string(form.items);
    ORLOP_TRY(list, read_list(*items, at, items_max));
    for (std::size_t index = 0; index < list->items().size(); ++index) {
      ORLOP_TRY(item, read_item(kind, list->items()[index], at + "[" + std::to_string(index) + "]", now));
      edit.added.push_back(std::move(item));
    }
  }
  if (const Value* const removed = given.find("removed")) {
    ORLOP_TRY(list, read_list(*removed, path + "removed", removed_max));
    for (std::size_t index = 0; index < list->items().size(); ++index) {
      ORLOP_TRY(pattern, read_name(list->items()[index], path + "removed[" + std::to_string(index) + "]"));
      edit.removed.push_back(std::move(pattern));
    }
  }
  return edit;
}

}  // namespace

std::string_view plain_git_url(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with(".git")) url.remove_suffix(4);
  return url;
}

Result<std::vector<SourceEdit>> read_source_edits(const Value& given, Instant now) {
  std::vector<SourceEdit> edits;
  const Value* const list = given.find("sources");
  if (list == nullptr || given.members().size() != 1) {
    ORLOP_TRY(edit, read_edit(given, "", now));
    edits.push_back(std::move(edit));
    return edits;
  }
  if (!list->is_list() || list->items().size() > edits_max)
    return invalid_member("sources",
                          "must be a list of at most " + std::to_string(edits_max) + " entries, not " + shown(*list));
  for (std::size_t at = 0; at < list->items().size(); ++at) {
    ORLOP_TRY(edit, read_edit(list->items()[at], "sources[" + std::to_string(at) + "].", now));
    edits.push_back(std::move(edit));
  }
  return edits;
}

}  // namespace orlop
