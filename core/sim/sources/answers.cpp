// Answers to the questions of the interface about images, charts and git repositories, from the sources of a
// simulation.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "sim/rules/distribution.h"
#include "sim/sources/sources.h"

namespace orlop {
namespace {

Error not_described(std::string_view question) {
  return make_error(ErrorCode::unanswered,
                    "the question " + std::string(question) +
                        " is not answered: the sources of the simulation have no entry of what it asks about");
}

struct Owner {
  std::string_view name;
  std::string_view url;
};

Owner owner_of(const Value& input, std::string_view member) {
  const Value* const given = input.find(member);
  return given == nullptr ? Owner{} : Owner{given->text_or("name", ""), given->text_or("url", "")};
}

Result<std::string> has_image(const SourceCatalog& catalog, const Value& input) {
  const Owner registry = owner_of(input, "registry");
  if (!catalog.describes(SourceKind::image, registry.name, registry.url)) return not_described("has_image");
  const std::string_view tag = input.text_or("tag", "");
  const auto has_tag = [tag](const SourceEntry* entry) { return entry->items.find(tag) != nullptr; };
  return std::string(
      std::ranges::any_of(catalog.find(SourceKind::image, input.text_or("image_name", ""), registry.name, registry.url),
                          has_tag)
          ? "true"
          : "false");
}

// Lists images or charts with their tags or versions, the newest first.
Result<std::string> list_packaged(const SourceCatalog& catalog, SourceKind kind, std::string_view question,
                                  const Value& input) {
  const bool is_image = kind == SourceKind::image;
  const std::string_view label = is_image ? "image_name" : "chart_name";
  const Owner owner = owner_of(input, is_image ? "registry" : "repository");
  if (!catalog.describes(kind, owner.name, owner.url)) return not_described(question);
  const std::string_view wanted = input.text_or(label, "");
  const std::string_view search = input.text_or("search", "");
  Writer out;
  out.begin_list();
  for (const auto& [name, owners] : catalog.entries(kind)) {
    if ((!wanted.empty() && name != wanted) || name.find(search) == std::string::npos) continue;
    const auto entries = catalog.find(kind, name, owner.name, owner.url);
    if (entries.empty()) continue;
    out.begin_object().field(label, name).key("versions").begin_list();
    for (const SourceEntry* const entry : entries) {
      for (auto item = entry->items.all().rbegin(); item != entry->items.all().rend(); ++item) out.value(item->id);
    }
    out.end_list().end_object();
  }
  out.end_list();
  return std::move(out).take();
}

Result<const SourceEntry*> branch_of(const SourceCatalog& catalog, std::string_view question, const Value& input) {
  const std::string_view url = plain_git_url(input.text_or("url", ""));
  if (!catalog.describes(SourceKind::branch, url, "")) return not_described(question);
  const auto branches = catalog.branches(url);
  const std::string_view asked = input.text_or("branch", "");
  const auto found = asked.empty() ? branches.begin() : std::ranges::find(branches, asked, &SourceEntry::name);
  if (found == branches.end())
    return make_error(ErrorCode::external_failed, "the branch " + shown(Value(asked)) +
                                                      " does not exist in the git repository " + shown(Value(url)));
  return *found;
}

Result<std::string> list_commits(const SourceCatalog& catalog, const Value& input) {
  ORLOP_TRY(branch, branch_of(catalog, "list_commits", input));
  const std::string_view start = input.text_or("start_id", "");
  const std::string_view only = input.text_or("git_commit_id", "");
  bool has_begun = start.empty();
  Writer out;
  out.begin_list();
  for (auto commit = branch->items.all().rbegin(); commit != branch->items.all().rend(); ++commit) {
    has_begun = has_begun || commit->id == start;
    if (!has_begun || (!only.empty() && commit->id != only)) continue;
    out.begin_object()
        .field("created_at", to_text(commit->created_at))
        .field("git_commit_id", commit->id)
        .field("tag", commit->tag);
    out.field("message", commit->message).field("author_name", commit->author).end_object();
  }
  out.end_list();
  return std::move(out).take();
}

Result<std::string> list_contributors(const SourceCatalog& catalog, const Value& input) {
  ORLOP_TRY(branch, branch_of(catalog, "list_contributors", input));
  std::set<std::string_view> authors;
  for (const SourceItem& commit : branch->items.all()) {
    if (!commit.author.empty()) authors.insert(commit.author);
  }
  Writer out;
  out.begin_list();
  for (const std::string_view author : authors) out.begin_object().field("first_name", author).end_object();
  out.end_list();
  return std::move(out).take();
}

// Returns the host of https://github.com/acme/shop, and "acme/shop".
std::pair<std::string_view, std::string_view> host_and_name(std::string_view url) {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  const std::size_t host = std::min(url.find('/'), url.size());
  return {url.substr(0, host), url.substr(std::min(host + 1, url.size()))};
}

// A host whose name contains no provider may be of each.
bool may_be_of(std::string_view host, std::string_view provider) {
  std::string name(provider);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const auto is_named = [host](std::string_view other) { return host.find(other) != std::string_view::npos; };
  return is_named(name) || !(is_named("github") || is_named("gitlab") || is_named("bitbucket"));
}

std::set<std::string_view> repositories_of(const SourceCatalog& catalog, std::string_view provider) {
  std::set<std::string_view> urls;
  for (const auto& [branch, owners] : catalog.entries(SourceKind::branch)) {
    for (const auto& [url, entry] : owners) {
      if (may_be_of(host_and_name(url).first, provider)) urls.insert(url);
    }
  }
  return urls;
}

Result<std::string> list_branches(const SourceCatalog& catalog, const Value& input) {
  const std::string_view wanted = plain_git_url(input.text_or("repository", ""));
  const auto urls = repositories_of(catalog, input.text_or("provider", ""));
  const auto found =
      std::ranges::find_if(urls, [&](std::string_view url) { return host_and_name(url).second == wanted; });
  if (found == urls.end()) return not_described("list_branches");
  Writer out;
  out.begin_list();
  for (const SourceEntry* const branch : catalog.branches(*found))
    out.begin_object().field("name", branch->name).end_object();
  out.end_list();
  return std::move(out).take();
}

Result<std::string> list_repositories(const SourceCatalog& catalog, const Value& input) {
  const auto urls = repositories_of(catalog, input.text_or("provider", ""));
  if (urls.empty()) return not_described("list_repositories");
  Writer out;
  out.begin_list();
  for (const std::string_view url : urls) {
    const std::string_view name = host_and_name(url).second;
    out.begin_object()
        .field("id", name)
        .field("name", name)
        .field("url", std::string(url) + ".git")
        .field("default_branch", catalog.branches(url).front()->name)
        .end_object();
  }
  out.end_list();
  return std::move(out).take();
}

}  // namespace

Result<std::string> answer_from_sources(const SourceCatalog& catalog, std::string_view question, const Value& input) {
  if (question == "has_image") return has_image(catalog, input);
  if (question == "list_images") return list_packaged(catalog, SourceKind::image, question, input);
  if (question == "list_charts") return list_packaged(catalog, SourceKind::chart, question, input);
  if (question == "list_commits") return list_commits(catalog, input);
  if (question == "list_contributors") return list_contributors(catalog, input);
  if (question == "list_branches") return list_branches(catalog, input);
  if (question == "list_repositories") return list_repositories(catalog, input);
  return not_described(question);
}

}  // namespace orlop
