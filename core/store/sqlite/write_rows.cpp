#include "store/sqlite/write_rows.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/sort_unique.h"
#include "store/refusal.h"
#include "store/sqlite/read_rows.h"
#include "store/sqlite/rows/coordination_rows.h"
#include "store/sqlite/rows/count_rows.h"
#include "store/sqlite/rows/erasures.h"
#include "store/sqlite/rows/event_runs.h"
#include "store/sqlite/rows/sqlite_rows.h"

namespace orlop {
namespace {

const std::string no_name;

struct Place {
  std::int64_t parent = 0;
  std::int64_t family = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

std::optional<Place> place_of(SqliteConnection& connection, std::int64_t number) {
  StatementRun run = connection.run(SqliteQuery::record_place);
  run.integer(number);
  return run.step() ? std::optional(Place{run.integer_at(0), run.integer_at(1)}) : std::nullopt;
}

void insert_child(SqliteConnection& connection, const Place& place, const Id& id, std::int64_t number,
                  SqliteCountChanges& counts) {
  counts.child(place.parent, static_cast<FamilyNumber>(place.family), 1);
  connection.run(SqliteQuery::insert_child).integer(place.parent).integer(place.family).id(id).integer(number).change();
}

void erase_child(SqliteConnection& connection, const Place& place, const Id& id, SqliteCountChanges& counts) {
  counts.child(place.parent, static_cast<FamilyNumber>(place.family), -1);
  connection.run(SqliteQuery::erase_child).integer(place.parent).integer(place.family).id(id).change();
}

// Returns the numbers of the records that a record refers to, ascending.
std::vector<std::int64_t> targets_of(SqliteConnection& connection, std::int64_t number) {
  std::vector<std::int64_t> targets;
  StatementRun run = connection.run(SqliteQuery::references_of);
  run.integer(number);
  while (run.step()) targets.push_back(run.integer_at(0));
  sort_unique(targets);
  return targets;
}

// References of a record, and the family under which they are counted.
struct Targets {
  std::vector<std::int64_t> numbers;
  std::int64_t family = 0;
  friend bool operator==(const Targets&, const Targets&) = default;
};

void replace_targets(SqliteConnection& connection, std::int64_t number, const Targets& before, const Targets& now,
                     SqliteCountChanges& counts) {
  if (now == before) return;
  if (!before.numbers.empty() && before.numbers != now.numbers)
    connection.run(SqliteQuery::erase_references).integer(number).change();
  for (const std::int64_t target : before.numbers)
    counts.referrer(target, static_cast<FamilyNumber>(before.family), -1);
  for (const std::int64_t target : now.numbers) {
    if (before.numbers != now.numbers)
      connection.run(SqliteQuery::insert_reference).integer(target).integer(number).change();
    counts.referrer(target, static_cast<FamilyNumber>(now.family), 1);
  }
}

bool run_record(SqliteConnection& connection, SqliteQuery query, std::int64_t number, const Record& record) {
  StatementRun run = connection.run(query);
  bind_record(run, connection, number, record);
  return run.change() == 1;
}

bool run_record(SqliteConnection& connection, SqliteQuery query, std::int64_t number, const Record& record,
                const std::string& name_key) {
  StatementRun run = connection.run(query);
  bind_record(run, connection, number, record);
  run.bytes_or_null(name_key);
  return run.change() == 1;
}

std::uint64_t revision_of(SqliteConnection& connection, std::int64_t number) {
  StatementRun run = connection.run(SqliteQuery::record_revision);
  run.integer(number);
  return run.step() ? static_cast<std::uint64_t>(run.integer_at(0)) : 0;
}

Place place_of(SqliteConnection& connection, const Record& record) {
  return {connection.identities().make_number(connection, record.parent), record.family};
}

bool insert_record(SqliteConnection& connection, std::int64_t number, const RecordWrite& write,
                   SqliteCountChanges& counts) {
  if (!run_record(connection, SqliteQuery::insert_record, number, write.record, write.name_key.value_or(no_name)))
    return false;
  insert_child(connection, place_of(connection, write.record), write.record.id, number, counts);
  return true;
}

// `before`: parent and family before the change.
bool update_record(SqliteConnection& connection, std::int64_t number, const RecordWrite& write, const Place& before,
                   SqliteCountChanges& counts, SqliteStaleRows& stale) {
  const Record& record = write.record;
  const bool changed =
      write.name_key ? run_record(connection, SqliteQuery::update_record_and_name, number, record, *write.name_key)
                     : run_record(connection, SqliteQuery::update_record, number, record);
  if (!changed) return false;
  const Place now = place_of(connection, record);
  if (now == before) return true;
  stale.add_move();
  erase_child(connection, before, record.id, counts);
  insert_child(connection, now, record.id, number, counts);
  return true;
}

Error refusal_of(SqliteConnection& connection, std::int64_t number, const RecordWrite& write) {
  return revision_of(connection, number) != write.expected_revision ? record_lost(write.record.id) : name_taken();
}

Targets targets_of(SqliteConnection& connection, const RecordWrite& write) {
  Targets targets = {{}, write.record.family};
  for (const Id& target : *write.references)
    targets.numbers.push_back(connection.identities().make_number(connection, target));
  sort_unique(targets.numbers);
  return targets;
}

Result<void> put_record(SqliteConnection& connection, const RecordWrite& write, SqliteCountChanges& counts,
                        SqliteStaleRows& stale) {
  SqliteIdentities& identities = connection.identities();
  const bool is_new = write.expected_revision == 0;
  const std::int64_t number = is_new ? identities.make_new_number(connection, write.record.id)
                                     : identities.make_number(connection, write.record.id);
  if (is_new) {
    if (!insert_record(connection, number, write, counts)) return refusal_of(connection, number, write);
    if (write.references)
      replace_targets(connection, number, {{}, write.record.family}, targets_of(connection, write), counts);
    return {};
  }
  // The usual change writes only the record's row.
  if (!write.name_key && !write.references && run_record(connection, SqliteQuery::edit_record, number, write.record))
    return {};
  const std::optional<Place> before = place_of(connection, number);
  if (!before || !update_record(connection, number, write, *before, counts, stale))
    return refusal_of(connection, number, write);
  if (!write.references && before->family == write.record.family) return {};
  Targets known = {targets_of(connection, number), before->family};
  Targets now = write.references ? targets_of(connection, write) : Targets{known.numbers, write.record.family};
  replace_targets(connection, number, known, now, counts);
  return {};
}

// Statements that change a machine's row, from the usual one, which changes no index, to one that may change all of
// them.
constexpr std::array machine_changes = {SqliteQuery::step_machine, SqliteQuery::turn_machine,
                                        SqliteQuery::update_machine};

// Returns the first of them that suffices for this change.
std::size_t first_change(const Machine& before, const Machine& now) {
  if (before.owner != now.owner || before.partition != now.partition || before.family != now.family) return 2;
  return before.active != now.active ? 1 : 0;
}

// `usual`: statement that the last machine needed; the first try for a machine that is not in the cache.
Result<void> put_machine(SqliteConnection& connection, SqliteKnownRows& rows, const Machine& machine, bool is_new,
                         std::size_t& usual) {
  const std::int64_t number = connection.identities().make_number(connection, machine.id);
  const std::string phases = packed_phases(machine);
  const auto run_machine = [&](SqliteQuery query) {
    StatementRun run = connection.run(query);
    bind_machine(run, connection, number, machine, phases);
    return run.change() == 1;
  };
  bool changed = is_new && run_machine(SqliteQuery::insert_machine);
  if (!is_new) {
    const Shared<Machine> before = rows.machine(machine.id);
    for (std::size_t at = !before ? usual : first_change(*before, machine); !changed && at < machine_changes.size();
         ++at) {
      changed = run_machine(machine_changes[at]);
      usual = at;
    }
  }
  if (!changed) return machine_lost(machine.id);
  rows.know(Shared<Machine>(Machine(machine)));
  return {};
}

void put_events(SqliteConnection& connection, SqliteKnownRows& rows, const Changes& changes) {
  if (changes.events.empty()) return;
  const bool keeps_first =
      changes.is_restore && changes.events.front().sequence > 1 && read_feed_end(connection).sequence == 0;
  std::uint64_t sequence = 0;
  SqliteEventRuns runs(connection);
  for (std::span<const Event> rest = changes.events; !rest.empty();) {
    const bool is_renumbered = keeps_first && rest.size() == changes.events.size();
    const bool is_group = rest.size() >= sqlite_row_group && !is_renumbered;
    const std::span<const Event> group = rest.first(is_group ? sqlite_row_group : 1);
    rest = rest.subspan(group.size());
    {
      StatementRun run = connection.run(is_group ? SqliteQuery::insert_events : SqliteQuery::insert_event);
      for (const Event& event : group) bind_event(run, connection, event);
      run.change();
    }
    sequence = static_cast<std::uint64_t>(connection.last_number());
    if (is_renumbered) {
      connection.run(SqliteQuery::renumber_event).number(group.front().sequence).change();
      sequence = group.front().sequence;
    }
    // Their numbers are consecutive.
    std::uint64_t number = sequence - group.size();
    for (const Event& event : group) runs.add(event, ++number);
  }
  runs.write();
  rows.know(FeedEnd{sequence, changes.events.back().at, changes.events.back().id_count});
}

}  // namespace

Result<void> apply_changes(SqliteConnection& connection, SqliteKnownRows& rows, SqliteStaleRows& stale,
                           const Changes& changes) {
  if (!changes.coordination.empty()) ORLOP_CHECK(apply_coordination(connection, changes.coordination));
  SqliteCountChanges counts;
  for (const Id& id : changes.erasures) {
    rows.drop_record(id);
    rows.drop_machine(id);
  }
  erase_all(connection, changes.erasures, counts);
  for (const RecordWrite& write : changes.records) {
    if (!may_put(write, changes)) return revision_does_not_follow();
    rows.drop_record(write.record.id);
    ORLOP_CHECK(put_record(connection, write, counts, stale));
  }
  std::size_t usual_change = 0;
  for (const Machine& machine : changes.machines) {
    if (machine.revision == 0) return machine_revision_is_zero();
    ORLOP_CHECK(put_machine(connection, rows, machine, changes.is_restore || machine.revision == 1, usual_change));
  }
  put_events(connection, rows, changes);
  if (changes.forgotten_events != 0) forget_events(connection, changes.forgotten_events);
  counts.write(connection);
  return {};
}

}  // namespace orlop
