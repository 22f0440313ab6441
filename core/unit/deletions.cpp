#include "unit/deletions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/bulk_job_number.h"
#include "base/deletion_number.h"
#include "store/partition.h"
#include "unit/lineage.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view roots_name = "roots";

constexpr RecordRange all_marks = {.by = RecordRange::By::parent, .key = {}, .family = deletion_number};

// `read` calls a visitor for the records of a range.
template <typename Read>
Result<std::vector<Deletion>> read_deletions(const Read& read) {
  std::vector<Deletion> found;
  Result<void> outcome;
  ORLOP_CHECK(read(all_marks, [&](const Record& mark) {
    auto deletion = deletion_of(mark);
    if (deletion) found.push_back(std::move(*deletion));
    else outcome = deletion.error();
    return outcome.ok();
  }));
  ORLOP_CHECK(outcome);
  return found;
}

}  // namespace

Result<Deletion> deletion_of(const Record& mark) {
  Deletion deletion{mark.id, mark.organization, {}};
  ORLOP_TRY(given, parse_stored_member(mark.body, roots_name));
  const std::string_view roots = given.is_text() ? given.as_text() : std::string_view();
  for (std::size_t at = 0; at < roots.size(); at += id_text_size) {
    const auto root = parse_id(roots.substr(at, id_text_size));
    if (!root)
      return make_error(ErrorCode::storage_corrupt,
                        "the store holds deletion " + to_text(mark.id) + " with a text that the library did not write");
    deletion.roots.push_back(*root);
  }
  return deletion;
}

Result<std::vector<Deletion>> deletions_in(Transaction& store) {
  return read_deletions(
      [&store](const RecordRange& range, const RecordVisitor& visit) { return store.records(range, visit); });
}

Result<std::vector<Deletion>> deletions_in(Unit& unit) {
  return read_deletions(
      [&unit](const RecordRange& range, const RecordVisitor& visit) { return unit.visit(range, visit); });
}

Result<bool> is_being_deleted(Unit& unit, const Id& id) {
  ORLOP_TRY(deletions, deletions_in(unit));
  if (deletions.empty()) return false;
  const auto is_root = [&deletions](const Id& other) {
    return std::ranges::any_of(deletions, [&other](const Deletion& deletion) {
      return std::ranges::find(deletion.roots, other) != deletion.roots.end();
    });
  };
  ORLOP_TRY(record, unit.record(id));
  if (!record) return false;
  Lineage lineage(unit, *record);
  while (!is_root(lineage.at().id)) {
    ORLOP_TRY(is_higher, lineage.up());
    if (!is_higher) return false;
  }
  return true;
}

Result<void> resume_deletions(Unit& unit, const Id& organization) {
  ORLOP_TRY(deletions, deletions_in(unit));
  for (const Deletion& deletion : deletions) {
    if (deletion.organization != organization) continue;
    const RecordRange range = {.key = deletion.id, .family = bulk_job_number, .fields = RecordRange::Fields::place};
    ORLOP_TRY(jobs, unit.records(range));
    for (const Record& job : jobs) unit.begin_job({.id = job.id, .partition = partition_of(organization)});
  }
  return {};
}

Record mark_deleted(Unit& unit, const Id& organization, std::span<const Id> roots) {
  std::string ids;
  ids.reserve(roots.size() * id_text_size);
  for (const Id& root : roots) {
    append_text(ids, root);
    unit.hide(root);
  }
  Record mark;
  mark.id = unit.make_id();
  mark.family = deletion_number;
  mark.organization = organization;
  mark.body = Writer().begin_object().field(roots_name, std::string_view(ids)).end_object().text();
  unit.put(mark);
  return mark;
}

}  // namespace orlop
