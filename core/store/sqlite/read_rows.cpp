#include "store/sqlite/read_rows.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "store/sqlite/rows/event_runs.h"
#include "store/sqlite/rows/sqlite_rows.h"

namespace orlop {
namespace {

constexpr int machine_number_column = 38;  // of query `machine`, after the columns of a machine

// Returns the numbers that a statement selects; its parameters are bound.
std::vector<std::int64_t> numbers_of(StatementRun& run) {
  std::vector<std::int64_t> numbers;
  while (run.step()) numbers.push_back(run.integer_at(0));
  return numbers;
}

struct NumberedId {
  Id id;
  std::int64_t number = 0;
};

void read_numbered(StatementRun& run, std::vector<NumberedId>& found) {
  while (run.step()) found.push_back({run.id_at(0), run.integer_at(1)});
}

// Reads the texts one by one, after sorting. Sorting in SQLite would cost more than most of these ranges, which are
// empty.
void visit_numbers(SqliteConnection& connection, std::vector<NumberedId> found, const RecordRange& range,
                   const RecordVisitor& visit) {
  if (!std::ranges::is_sorted(found, {}, &NumberedId::id)) std::ranges::sort(found, {}, &NumberedId::id);
  std::size_t left = range.limit;
  Record record;
  for (const auto& [id, number] : found) {
    if (left == 0) return;
    StatementRun run = connection.run(range.with_text() ? SqliteQuery::record_at : SqliteQuery::record_bare_at);
    run.integer(number);
    if (!run.step()) continue;
    read_record(run, connection, id, record);
    if (range.family != 0 && record.family != range.family) continue;
    --left;
    if (!visit(record)) return;
  }
}

// Visits children of all families. The table orders them by family, and only then by id: the first of each family are
// read, so that the cost of a page does not depend on where it begins.
void visit_children(SqliteConnection& connection, std::int64_t parent, const RecordRange& range,
                    const RecordVisitor& visit) {
  std::vector<NumberedId> found;
  for (auto family = next_child_family(connection, parent, 0); family;
       family = next_child_family(connection, parent, *family)) {
    StatementRun run = connection.run(SqliteQuery::children_numbers);
    run.integer(parent).integer(*family).id(range.after).bounded(range.limit);
    read_numbered(run, found);
  }
  visit_numbers(connection, std::move(found), range, visit);
}

void visit_children_of_family(SqliteConnection& connection, std::int64_t parent, const RecordRange& range,
                              const RecordVisitor& visit) {
  Record record;
  record.family = range.family;
  record.parent = range.key;
  if (range.fields == RecordRange::Fields::place) {
    // Only the table of children, without the records' rows.
    StatementRun run = connection.run(SqliteQuery::children_numbers);
    run.integer(parent).number(range.family).id(range.after).bounded(range.limit);
    while (run.step()) {
      record.id = run.id_at(0);
      if (!visit(record)) return;
    }
    return;
  }
  StatementRun run =
      connection.run(range.with_text() ? SqliteQuery::children_of_family : SqliteQuery::children_of_family_bare);
  run.integer(parent).id(range.after).number(range.family).bounded(range.limit);
  while (run.step()) {
    read_child(run, connection, record);
    if (!visit(record)) return;
  }
}

void visit_referrers(SqliteConnection& connection, std::int64_t target, const RecordRange& range,
                     const RecordVisitor& visit) {
  std::vector<NumberedId> found;
  {
    StatementRun run = connection.run(SqliteQuery::referrer_numbers);
    run.integer(target).id(range.after);
    read_numbered(run, found);
  }
  visit_numbers(connection, std::move(found), range, visit);
}

}  // namespace

std::optional<std::int64_t> next_child_family(SqliteConnection& connection, std::int64_t parent, std::int64_t family) {
  StatementRun run = connection.run(SqliteQuery::next_child_family);
  run.integer(parent).integer(family);
  return run.step() ? std::optional(run.integer_at(0)) : std::nullopt;
}

Shared<Record> read_record(SqliteConnection& connection, const Id& id) {
  const std::optional<std::int64_t> number = connection.identities().known_number(id);
  StatementRun run = connection.run(number ? SqliteQuery::record_at : SqliteQuery::record);
  number ? run.integer(*number) : run.id(id);
  return run.step() ? Shared<Record>(read_record(run, connection, id)) : Shared<Record>();
}

Shared<Machine> read_machine(SqliteConnection& connection, const Id& id) {
  const std::optional<std::int64_t> number = connection.identities().known_number(id);
  StatementRun run = connection.run(number ? SqliteQuery::machine_at : SqliteQuery::machine);
  if (number) run.integer(*number);
  run.id(id);
  if (!run.step()) return {};
  // The next statement is often a change of this machine.
  if (!number) connection.identities().know(run.integer_at(machine_number_column), id);
  return Shared<Machine>(read_machine(run, connection));
}

std::optional<Id> read_name(SqliteConnection& connection, std::string_view name_key) {
  const std::string key(name_key);
  StatementRun run = connection.run(SqliteQuery::record_of_name);
  run.bytes_or_null(key);
  return run.step() ? std::optional(connection.identities().id_of(connection, run.integer_at(0))) : std::nullopt;
}

RecordLinks read_links(SqliteConnection& connection, const Id& id) {
  RecordLinks links;
  const std::optional<std::int64_t> number = connection.identities().number_of(connection, id);
  if (!number) return links;
  {
    StatementRun run = connection.run(SqliteQuery::record_name);
    run.integer(*number);
    if (run.step()) run.read_bytes(0, links.name_key);
  }
  StatementRun run = connection.run(SqliteQuery::references_of);
  run.integer(*number);
  for (const std::int64_t target : numbers_of(run))
    links.references.push_back(connection.identities().id_of(connection, target));
  std::ranges::sort(links.references);
  return links;
}

void visit_records(SqliteConnection& connection, const RecordRange& range, const RecordVisitor& visit) {
  const std::optional<std::int64_t> key = connection.identities().number_of(connection, range.key);
  if (!key) return;
  switch (range.by) {
    case RecordRange::By::parent:
      if (range.family == 0) visit_children(connection, *key, range, visit);
      else visit_children_of_family(connection, *key, range, visit);
      return;
    case RecordRange::By::reference: visit_referrers(connection, *key, range, visit); return;
  }
}

namespace {

// Binds the first and last number of a family; family 0: of all families.
void bind_families(StatementRun& run, FamilyNumber family) {
  constexpr FamilyNumber all = 0;
  run.number(family).number(family == all ? std::numeric_limits<FamilyNumber>::max() : family);
}

// Machines come by family and then by number. Numbers follow the order in which ids were first used, so that the ids of
// one family are nearly always in order.
void visit_in_order(const std::vector<Machine>& machines, const MachineVisitor& visit) {
  std::vector<const Machine*> order;
  order.reserve(machines.size());
  for (const Machine& machine : machines) order.push_back(&machine);
  const auto by_id = [](const Machine* machine) -> const Id& { return machine->id; };
  if (!std::ranges::is_sorted(order, {}, by_id)) std::ranges::sort(order, {}, by_id);
  for (const Machine* machine : order) {
    if (!visit(*machine)) return;
  }
}

void visit_states(SqliteConnection& connection, std::int64_t owner, FamilyNumber family, const MachineVisitor& visit) {
  StatementRun run = connection.run(SqliteQuery::states_of_owner);
  run.integer(owner);
  bind_families(run, family);
  Machine machine;
  while (run.step()) {
    read_machine_state(run, connection, machine);
    if (!visit(machine)) return;
  }
}

}  // namespace

void visit_machines(SqliteConnection& connection, const MachineRange& range, const MachineVisitor& visit) {
  std::vector<Machine> machines;
  const auto read = [&](StatementRun& run) {
    bind_families(run, range.family);
    while (run.step()) machines.push_back(read_machine(run, connection));
  };
  if (range.by == MachineRange::By::owner) {
    const std::optional<std::int64_t> owner = connection.identities().number_of(connection, range.owner);
    if (!owner) return;
    if (!range.with_detail) return visit_states(connection, *owner, range.family, visit);
    StatementRun run = connection.run(SqliteQuery::machines_of_owner);
    run.integer(*owner);
    read(run);
  } else {
    // An engine without active machines opens without the longer statement, whose preparation takes a tenth of the
    // time.
    if (!connection.run(SqliteQuery::an_active_machine).step()) return;
    StatementRun run = connection.run(SqliteQuery::active_machines);
    run.number(range.partition.value_or(0)).number(range.partition.value_or(UINT8_MAX));
    read(run);
  }
  visit_in_order(machines, visit);
}

namespace {

constexpr std::size_t looked_up_together = 8;  // unknown ids; fewer are looked up one by one
constexpr std::int64_t gap_max = 4;            // between two numbers read by one walk

// Returns the ids that have numbers, with these. Ids of one engine ascend, so that those of a list are close to each
// other: one walk over the index finds most of them.
std::vector<NumberedId> numbered(SqliteConnection& connection, std::span<const Id> ids) {
  SqliteIdentities& identities = connection.identities();
  std::vector<NumberedId> found;
  std::vector<Id> unknown;
  for (const Id& id : ids) {
    if (const auto number = identities.known_number(id)) found.push_back({id, *number});
    else unknown.push_back(id);
  }
  std::ranges::sort(unknown);
  auto next = unknown.begin();
  if (unknown.size() >= looked_up_together) {
    StatementRun run = connection.run(SqliteQuery::identities_between);
    run.id(unknown.front()).id(unknown.back()).bounded(2 * unknown.size());
    while (run.step()) {
      const Id id = run.id_at(0);
      while (next != unknown.end() && *next < id) ++next;  // has no number
      if (next == unknown.end() || *next != id) continue;
      found.push_back({id, run.integer_at(1)});
      ++next;
    }
  }
  for (; next != unknown.end(); ++next) {
    if (const auto number = identities.number_of(connection, *next)) found.push_back({*next, *number});
  }
  return found;
}

}  // namespace

void visit_machines(SqliteConnection& connection, std::span<const Id> ids, const MachineVisitor& visit) {
  std::vector<NumberedId> wanted = numbered(connection, ids);
  std::ranges::sort(wanted, {}, &NumberedId::number);
  Machine machine;
  for (auto first = wanted.begin(); first != wanted.end();) {
    // A range of close numbers, read by one walk over the table.
    auto end = first + 1;
    while (end != wanted.end() && end->number - (end - 1)->number <= gap_max) ++end;
    StatementRun run = connection.run(SqliteQuery::machines_between);
    run.integer(first->number).integer((end - 1)->number);
    while (run.step()) {
      const std::int64_t number = run.integer_at(0);
      while (first->number < number) ++first;
      if (first->number != number) continue;
      connection.identities().know(number, first->id);
      machine.id = first->id;
      read_numbered_machine(run, connection, machine);
      if (!visit(machine)) return;
    }
    first = end;
  }
}

FeedEnd read_feed_end(SqliteConnection& connection) {
  FeedEnd end;
  StatementRun run = connection.run(SqliteQuery::feed_end);
  if (run.step())
    end = {static_cast<std::uint64_t>(run.integer_at(0)), Instant{run.integer_at(1)},
           static_cast<std::uint32_t>(run.integer_at(2))};
  return end;
}

void visit_events(SqliteConnection& connection, const EventRange& range, const EventVisitor& visit) {
  const bool is_ascending = range.order == EventRange::Order::ascending;
  Id key;
  SqliteEventKey by = SqliteEventKey::organization;
  if (!range.organization.is_nil()) {
    key = range.organization;
  } else if (!range.request.is_nil()) {
    key = range.request;
    by = SqliteEventKey::request;
  } else if (!range.subject.is_nil()) {
    key = range.subject;
    by = SqliteEventKey::subject;
  }
  const std::optional<std::int64_t> number = connection.identities().number_of(connection, key);
  if (!number) return;
  const SqliteQuery all = is_ascending ? SqliteQuery::events : SqliteQuery::newest_events;
  const SqliteQuery of_key = is_ascending ? SqliteQuery::events_of_key : SqliteQuery::newest_events_of_key;
  StatementRun run = connection.run(key.is_nil() ? all : of_key);
  run.bounded(range.after).bounded(range.before).bounded(range.limit);
  if (!key.is_nil()) run.number(static_cast<std::uint64_t>(by)).integer(*number);
  while (run.step()) {
    if (!visit(read_event(run, connection))) return;
  }
}

}  // namespace orlop
