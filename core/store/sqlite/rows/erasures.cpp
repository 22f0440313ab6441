// Records that were made in sequence have consecutive numbers. One statement erases all rows of such a run in a table;
// a statement per row would double the cost.
#include "store/sqlite/rows/erasures.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

namespace orlop {
namespace {

struct Erased {
  std::int64_t number = 0;
  Id id;
};

// A row of the table `child`.
struct Child {
  std::int64_t number = 0;
  std::int64_t parent = 0;
  std::int64_t family = 0;
  Id id;
  bool has_place_of(const Child& other) const { return parent == other.parent && family == other.family; }
};

// Returns the known ids with their numbers, ascending by number, each once.
std::vector<Erased> numbered_erasures(SqliteConnection& connection, std::span<const Id> ids) {
  std::vector<Erased> erased;
  erased.reserve(ids.size());
  for (const Id& id : ids) {
    const std::optional<std::int64_t> number = connection.identities().number_of(connection, id);
    if (number) erased.push_back({*number, id});
  }
  std::ranges::sort(erased, {}, &Erased::number);
  erased.erase(
      std::unique(erased.begin(), erased.end(), [](const Erased& a, const Erased& b) { return a.number == b.number; }),
      erased.end());
  return erased;
}

// Appends a row for each record of `run`, whose numbers are consecutive.
void read_places(SqliteConnection& connection, std::span<const Erased> run, std::vector<Child>& children) {
  const std::int64_t first = run.front().number;
  StatementRun places = connection.run(SqliteQuery::record_places);
  places.integer(first).integer(run.back().number);
  while (places.step()) {
    const std::int64_t number = places.integer_at(0);
    children.push_back(
        {number, places.integer_at(1), places.integer_at(2), run[static_cast<std::size_t>(number - first)].id});
  }
}

// `children`: the records of this run, ascending by number; the source of their families.
void erase_references(SqliteConnection& connection, std::span<const Erased> run, std::span<const Child> children,
                      SqliteCountChanges& counts) {
  bool has_some = false;
  {
    StatementRun references = connection.run(SqliteQuery::references_of_all);
    references.integer(run.front().number).integer(run.back().number);
    auto child = children.begin();
    while (references.step()) {
      has_some = true;
      while (child != children.end() && child->number < references.integer_at(0)) ++child;
      if (child == children.end()) break;
      counts.referrer(references.integer_at(1), static_cast<FamilyNumber>(child->family), -1);
    }
  }
  if (has_some)
    connection.run(SqliteQuery::erase_all_references).integer(run.front().number).integer(run.back().number).change();
}

void erase_run(SqliteConnection& connection, std::span<const Erased> run, std::vector<Child>& children,
               SqliteCountChanges& counts) {
  const std::size_t before = children.size();
  read_places(connection, run, children);
  const std::span<const Child> found = std::span(children).subspan(before);
  if (!found.empty()) {
    erase_references(connection, run, found, counts);
    connection.run(SqliteQuery::erase_records).integer(run.front().number).integer(run.back().number).change();
  }
  connection.run(SqliteQuery::erase_machines).integer(run.front().number).integer(run.back().number).change();
}

// Reports whether no other child lies between the first and the last of these.
bool is_without_gaps(SqliteConnection& connection, std::span<const Child> siblings) {
  const Child& first = siblings.front();
  StatementRun another = connection.run(SqliteQuery::child_behind);
  another.integer(first.parent).integer(first.family).id(first.id).id(siblings.back().id).number(siblings.size());
  return !another.step();
}

// `siblings`: children of one parent and family, ascending by id.
void erase_siblings(SqliteConnection& connection, std::span<const Child> siblings, SqliteCountChanges& counts) {
  const Child& first = siblings.front();
  for (std::size_t count = siblings.size(); count > 0; --count)
    counts.child(first.parent, static_cast<FamilyNumber>(first.family), -1);
  if (siblings.size() > 1 && is_without_gaps(connection, siblings)) {
    connection.run(SqliteQuery::erase_children)
        .integer(first.parent)
        .integer(first.family)
        .id(first.id)
        .id(siblings.back().id)
        .change();
    return;
  }
  for (const Child& child : siblings)
    connection.run(SqliteQuery::erase_child).integer(child.parent).integer(child.family).id(child.id).change();
}

}  // namespace

void erase_all(SqliteConnection& connection, std::span<const Id> ids, SqliteCountChanges& counts) {
  const std::vector<Erased> erased = numbered_erasures(connection, ids);
  std::vector<Child> children;
  for (std::size_t begin = 0, end = 0; begin < erased.size(); begin = end) {
    do ++end;
    while (end < erased.size() && erased[end].number == erased[end - 1].number + 1);
    erase_run(connection, std::span(erased).subspan(begin, end - begin), children, counts);
  }
  std::ranges::sort(children, {}, [](const Child& child) { return std::tie(child.parent, child.family, child.id); });
  for (std::size_t begin = 0, end = 0; begin < children.size(); begin = end) {
    do ++end;
    while (end < children.size() && children[end].has_place_of(children[begin]));
    erase_siblings(connection, std::span(children).subspan(begin, end - begin), counts);
  }
}

}  // namespace orlop
