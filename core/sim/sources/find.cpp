// Looks up what a step needs in the sources of a simulation.
#include <algorithm>
#include <array>

#include "sim/rules/distribution.h"
#include "sim/sources/sources.h"

namespace orlop {
namespace {

constexpr std::size_t shown_max = 5;  // tags or versions in a message

struct StepSource {
  std::array<std::string_view, 4> path;  // in the configuration; empty names are skipped
  bool is_built;                         // read by the build
  std::string_view commit;               // member with the requested commit
};
constexpr StepSource git_sources[] = {
    {{"git_repository"}, true, "git_commit_id"},
    {{"source", "docker", "git_repository"}, true, "git_commit_id"},
    {{"source", "git", "git_repository"}, false, "git_commit_id"},
    {{"terraform_files_source", "git", "git_repository"}, false, "git_commit_id"},
    {{"values_override", "file", "git", "git_repository"}, false, "values_override_git_commit_id"},
};

const Value* find_object(const Value& configuration, const std::array<std::string_view, 4>& path) {
  const Value* at = &configuration;
  for (const std::string_view name : path) {
    if (at != nullptr && !name.empty()) at = at->find(name);
  }
  return at != nullptr && at->is_object() ? at : nullptr;
}

// Returns the end of a message: "; it has "1.1", "1.0" and 12 more".
std::string shown_items(const std::vector<const SourceEntry*>& entries) {
  std::string text;
  std::size_t count = 0;
  for (const SourceEntry* const entry : entries) {
    for (auto item = entry->items.all().rbegin(); item != entry->items.all().rend(); ++item, ++count) {
      if (count < shown_max) text += (count == 0 ? "" : ", ") + shown(Value(item->id));
    }
  }
  if (count > shown_max) text += " and " + std::to_string(count - shown_max) + " more";
  return count == 0 ? "; it has none" : "; it has " + text;
}

std::string shown_owner(const Value* owner) {
  return owner == nullptr ? std::string() : shown(Value(owner->text_or("name", "")));
}

struct Packaged {
  SourceKind kind;
  std::string_view name;
  std::string_view version;
  const Value* owner;
};

void find_packaged(const SourceCatalog& catalog, const Packaged& wanted, SourceFinding& out) {
  const std::string_view owner = wanted.owner == nullptr ? std::string_view() : wanted.owner->text_or("name", "");
  const std::string_view url = wanted.owner == nullptr ? std::string_view() : wanted.owner->text_or("url", "");
  if (!catalog.describes(wanted.kind, owner, url)) return;
  const bool is_image = wanted.kind == SourceKind::image;
  const std::string label = (is_image ? "the image " : "the chart ") + shown(Value(wanted.name));
  const std::string where = (is_image ? " in the registry " : " in the Helm repository ") + shown_owner(wanted.owner);
  const auto entries = catalog.find(wanted.kind, wanted.name, owner, url);
  if (entries.empty()) {
    out.missing = label + " does not exist" + where;
    return;
  }
  for (const SourceEntry* const entry : entries) {
    const SourceItem* const item = entry->items.find(wanted.version);
    if (item == nullptr) continue;
    if (!item->digest.empty())
      out.resolved = "the tag " + shown(Value(item->id)) + " of " + label + " is " + item->digest;
    return;
  }
  out.missing = label + " has no " + (is_image ? "tag " : "version ") + shown(Value(wanted.version)) + where +
                shown_items(entries);
}

void write_used(const SourceItem& commit, SourceFinding& out) {
  Writer writer;
  writer.begin_object()
      .field("git_commit_id", commit.id)
      .field("git_commit_date", to_text(commit.created_at))
      .field("git_commit_author", commit.author);
  if (!commit.tag.empty()) writer.field("git_commit_tag", commit.tag);
  writer.end_object();
  out.outputs = std::move(writer).take();
}

// `commit`: empty for the newest one of the branch.
void find_commit(const SourceCatalog& catalog, const Value& repository, std::string_view commit, bool is_used,
                 SourceFinding& out) {
  const std::string_view url = plain_git_url(repository.text_or("url", ""));
  if (!catalog.describes(SourceKind::branch, url, "")) return;
  const auto branches = catalog.branches(url);
  const std::string_view asked = repository.text_or("branch", "");
  const auto branch = asked.empty() ? branches.begin() : std::ranges::find(branches, asked, &SourceEntry::name);
  const std::string where = " in the git repository " + shown(Value(url));
  if (branch == branches.end()) {
    out.missing = "the branch " + shown(Value(asked)) + " does not exist" + where;
    return;
  }
  const std::vector<SourceItem>& commits = (*branch)->items.all();
  const SourceItem* const found = !commit.empty()   ? (*branch)->items.find(commit)
                                  : commits.empty() ? nullptr
                                                    : &commits.back();
  if (found != nullptr) {
    if (is_used) write_used(*found, out);
    return;
  }
  const std::string label = "the branch " + shown(Value((*branch)->name)) + " has no commit";
  out.missing = commit.empty() ? label + where : label + " " + shown(Value(commit)) + where + shown_items({*branch});
}

// The commit of the build is deployed, even if the branch has newer ones by then.
void leave_to_build(const SourceCatalog& catalog, const Value& repository, SourceFinding& out) {
  if (catalog.describes(SourceKind::branch, plain_git_url(repository.text_or("url", "")), "")) out.outputs = "{}";
}

}  // namespace

bool reads_sources(StepKind kind) {
  return kind == StepKind::build || kind == StepKind::deploy || kind == StepKind::execute;
}

SourceFinding find_sources(const SourceCatalog& catalog, const Step& step, const Value& configuration) {
  SourceFinding found;
  if (!reads_sources(step.kind)) return found;
  const bool is_build = step.kind == StepKind::build;
  for (const StepSource& source : git_sources) {
    const Value* const repository = is_build && !source.is_built ? nullptr : find_object(configuration, source.path);
    if (repository == nullptr || !found.missing.empty()) continue;
    if (source.is_built && !is_build) leave_to_build(catalog, *repository, found);
    else
      find_commit(catalog, *repository, configuration.text_or(source.commit, ""), source.commit == "git_commit_id",
                  found);
  }
  if (is_build || !found.missing.empty()) return found;
  const Value* const image =
      configuration.has("image_name") ? &configuration : find_object(configuration, {"source", "image"});
  if (image != nullptr)
    find_packaged(
        catalog,
        {SourceKind::image, image->text_or("image_name", ""), image->text_or("tag", ""), image->find("registry")},
        found);
  if (const Value* const chart = find_object(configuration, {"source", "repository"});
      chart != nullptr && found.missing.empty()) {
    const std::string_view asked = configuration.text_or("chart_version", "");
    const std::string_view version = asked.empty() ? chart->text_or("chart_version", "") : asked;
    find_packaged(catalog, {SourceKind::chart, chart->text_or("chart_name", ""), version, chart->find("repository")},
                  found);
  }
  return found;
}

}  // namespace orlop
