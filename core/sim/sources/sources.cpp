#include "sim/sources/sources.h"

#include <algorithm>
#include <iterator>

#include "sim/invalid_member.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t catalog_size_max = 100'000;  // entries, tags, versions and commits
constexpr std::string_view source_questions[] = {"has_image",        "list_images",       "list_charts",
                                                 "list_commits",     "list_contributors", "list_branches",
                                                 "list_repositories"};

// Known entries and items count as new.
Result<void> check_size(const SourceCatalog& catalog, const std::vector<SourceEdit>& edits) {
  std::size_t size = catalog.size();
  for (const SourceEdit& edit : edits) size += 1 + edit.added.size();
  if (size <= catalog_size_max) return {};
  return invalid_member("sources", "must have at most " + std::to_string(catalog_size_max) +
                                       " entries, tags, versions and commits in all, not " + std::to_string(size));
}

}  // namespace

Result<void> Sources::add(const Value& given) {
  ORLOP_TRY(edits, read_source_edits(given, now_()));
  const std::lock_guard lock(mutex_);
  ORLOP_CHECK(check_size(*catalog_, edits));
  if (catalog_.use_count() != 1) catalog_ = std::make_shared<SourceCatalog>(*catalog_);
  for (const SourceEdit& edit : edits) catalog_->apply(edit);
  is_empty_ = catalog_->is_empty();
  return {};
}

void Sources::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  catalog_->write(out);
}

Result<void> Sources::restore(const Value& given) {
  ORLOP_TRY(edits, read_source_edits(given, now_()));
  auto restored = std::make_shared<SourceCatalog>();
  ORLOP_CHECK(check_size(*restored, edits));
  for (const SourceEdit& edit : edits) restored->apply(edit);
  go_back(std::move(restored));
  return {};
}

Sources::Memory Sources::memory() const {
  const std::lock_guard lock(mutex_);
  return catalog_;
}

void Sources::go_back(Memory memory) {
  const std::lock_guard lock(mutex_);
  catalog_ = std::move(memory);
  is_empty_ = catalog_->is_empty();
}

SourceFinding Sources::find(const Step& step, const Value& configuration) const {
  const std::lock_guard lock(mutex_);
  return find_sources(*catalog_, step, configuration);
}

bool Sources::answers(std::string_view question) const {
  return std::ranges::find(source_questions, question) != std::end(source_questions) && !is_empty();
}

Result<std::string> Sources::ask(std::string_view question, std::string_view input) {
  if (!answers(question))
    return make_error(ErrorCode::unanswered,
                      "the question " + std::string(question) + " is not answered by the sources of the simulation");
  ORLOP_TRY(given, parse_stored(input));
  const std::lock_guard lock(mutex_);
  return answer_from_sources(*catalog_, question, given);
}

}  // namespace orlop
