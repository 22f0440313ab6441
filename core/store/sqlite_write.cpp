#include "store/sqlite_write.h"

#include "store/refusal.h"
#include "store/sqlite_rows.h"

namespace orlop {
namespace {

const std::string no_name;

void erase(SqliteConnection& connection, const Id& id) {
  connection.run(Query::erase_record).id(id).change();
  connection.run(Query::erase_machine).id(id).change();
}

bool run_record(SqliteConnection& connection, Query query, const Record& record) {
  Run run = connection.run(query);
  bind_record(run, record);
  return run.change() == 1;
}

bool run_record(SqliteConnection& connection, Query query, const Record& record, const std::string& name_key) {
  Run run = connection.run(query);
  bind_record(run, record);
  run.text_or_null(name_key);
  return run.change() == 1;
}

std::uint64_t revision_of(SqliteConnection& connection, const Id& id) {
  Run run = connection.run(Query::record_revision);
  run.id(id);
  return run.step() ? static_cast<std::uint64_t>(run.integer_at(0)) : 0;
}

Result<void> put_record(SqliteConnection& connection, const RecordWrite& write) {
  const Record& record = write.record;
  bool changed = false;
  if (write.expected_revision == 0) {
    changed = run_record(connection, Query::insert_record, record, write.name_key.value_or(no_name));
  } else if (write.name_key) {
    changed = run_record(connection, Query::update_record_and_name, record, *write.name_key);
  } else {
    changed = run_record(connection, Query::edit_record, record) || run_record(connection, Query::update_record, record);
  }
  if (!changed) {
    if (revision_of(connection, record.id) != write.expected_revision) return record_lost(record.id);
    return name_taken();
  }
  if (!write.references) return {};
  if (write.expected_revision != 0) connection.run(Query::erase_references).id(record.id).change();
  for (const Id& target : *write.references) connection.run(Query::insert_reference).id(target).id(record.id).change();
  return {};
}

bool run_machine(SqliteConnection& connection, Query query, const Machine& machine) {
  Run run = connection.run(query);
  bind_machine(run, machine);
  return run.change() == 1;
}

Result<void> put_machine(SqliteConnection& connection, const Machine& machine, bool is_new) {
  const bool changed = is_new ? run_machine(connection, Query::insert_machine, machine)
                                             : run_machine(connection, Query::step_machine, machine) ||
                                                   run_machine(connection, Query::update_machine, machine);
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
    Run run = connection.run(Query::insert_event);
    bind_event(run, event);
    run.change();
  }
  return {};
}

}  // namespace orlop
