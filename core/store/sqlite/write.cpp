#include "store/sqlite/write.h"

#include <optional>
#include <string>

#include "store/refusal.h"
#include "store/sqlite/rows.h"

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

void insert_child(SqliteConnection& connection, const Place& place, const Id& id, std::int64_t number) {
  connection.run(SqliteQuery::insert_child).integer(place.parent).integer(place.family).id(id).integer(number).change();
}

void erase_child(SqliteConnection& connection, const Place& place, const Id& id) {
  connection.run(SqliteQuery::erase_child).integer(place.parent).integer(place.family).id(id).change();
}

// Its number stays: events name it.
void erase(SqliteConnection& connection, const Id& id) {
  const std::optional<std::int64_t> number = connection.identities().number_of(connection, id);
  if (!number) return;
  if (const std::optional<Place> place = place_of(connection, *number)) {
    erase_child(connection, *place, id);
    connection.run(SqliteQuery::erase_references).integer(*number).change();
    connection.run(SqliteQuery::erase_record).integer(*number).change();
  }
  connection.run(SqliteQuery::erase_machine).integer(*number).change();
}

bool run_record(SqliteConnection& connection, SqliteQuery query, std::int64_t number, const Record& record) {
  StatementRun run = connection.run(query);
  bind_record(run, connection, number, record);
  return run.change() == 1;
}

bool run_record(SqliteConnection& connection, SqliteQuery query, std::int64_t number, const Record& record, const std::string& name_key) {
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

bool insert_record(SqliteConnection& connection, std::int64_t number, const RecordWrite& write) {
  if (!run_record(connection, SqliteQuery::insert_record, number, write.record, write.name_key.value_or(no_name))) return false;
  insert_child(connection, place_of(connection, write.record), write.record.id, number);
  return true;
}

bool update_record(SqliteConnection& connection, std::int64_t number, const RecordWrite& write) {
  const Record& record = write.record;
  if (!write.name_key && run_record(connection, SqliteQuery::edit_record, number, record)) return true;
  const std::optional<Place> before = place_of(connection, number);
  const bool changed = write.name_key ? run_record(connection, SqliteQuery::update_record_and_name, number, record, *write.name_key)
                                      : run_record(connection, SqliteQuery::update_record, number, record);
  if (!changed || !before) return false;
  const Place now = place_of(connection, record);
  if (now == *before) return true;
  erase_child(connection, *before, record.id);
  insert_child(connection, now, record.id, number);
  return true;
}

Result<void> put_record(SqliteConnection& connection, const RecordWrite& write) {
  const std::int64_t number = connection.identities().make_number(connection, write.record.id);
  const bool is_new = write.expected_revision == 0;
  if (!(is_new ? insert_record(connection, number, write) : update_record(connection, number, write))) {
    if (revision_of(connection, number) != write.expected_revision) return record_lost(write.record.id);
    return name_taken();
  }
  if (!write.references) return {};
  if (!is_new) connection.run(SqliteQuery::erase_references).integer(number).change();
  for (const Id& target : *write.references) {
    const std::int64_t target_number = connection.identities().make_number(connection, target);
    connection.run(SqliteQuery::insert_reference).integer(target_number).integer(number).change();
  }
  return {};
}

Result<void> put_machine(SqliteConnection& connection, const Machine& machine, bool is_new) {
  const std::int64_t number = connection.identities().make_number(connection, machine.id);
  const std::string phases = packed_phases(machine);
  const auto run_machine = [&](SqliteQuery query) {
    StatementRun run = connection.run(query);
    bind_machine(run, connection, number, machine, phases);
    return run.change() == 1;
  };
  const bool changed = is_new ? run_machine(SqliteQuery::insert_machine) : run_machine(SqliteQuery::step_machine) || run_machine(SqliteQuery::update_machine);
  if (!changed) return machine_lost(machine.id);
  return {};
}

}  // namespace

Result<void> apply_changes(SqliteConnection& connection, const Changes& changes) {
  for (const Id& id : changes.erasures) erase(connection, id);
  for (const RecordWrite& write : changes.records) {
    if (!may_put(write, changes)) return revision_does_not_follow();
    ORLOP_CHECK(put_record(connection, write));
  }
  for (const Machine& machine : changes.machines) {
    if (machine.revision == 0) return machine_revision_is_zero();
    ORLOP_CHECK(put_machine(connection, machine, changes.is_restore || machine.revision == 1));
  }
  for (const Event& event : changes.events) {
    StatementRun run = connection.run(SqliteQuery::insert_event);
    bind_event(run, connection, event);
    run.change();
  }
  return {};
}

}  // namespace orlop
