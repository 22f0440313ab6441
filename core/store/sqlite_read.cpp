#include "store/sqlite_read.h"

#include <vector>

#include "store/sqlite_rows.h"

namespace orlop {
namespace {

void visit_rows(Run& run, const RecordVisitor& visit) {
  Record record;
  while (run.step()) {
    read_record(run, record);
    if (!visit(record)) return;
  }
}

// Children of every family: the index orders them by family, so that their numbers are sorted first, and only then is text read.
void visit_children(SqliteConnection& connection, const RecordRange& range, const RecordVisitor& visit) {
  std::vector<std::int64_t> numbers;
  {
    Run run = connection.run(Query::children_numbers);
    run.id_or_null(range.key).id(range.after).bounded(range.limit);
    while (run.step()) numbers.push_back(run.integer_at(0));
  }
  for (std::int64_t number : numbers) {
    Run run = connection.run(range.with_text ? Query::record_at : Query::record_bare_at);
    run.integer(number);
    if (run.step() && !visit(read_record(run))) return;
  }
}

void visit_children_of_family(SqliteConnection& connection, const RecordRange& range, const RecordVisitor& visit) {
  Run run = connection.run(range.with_text ? Query::children_of_family : Query::children_of_family_bare);
  run.id_or_null(range.key).id(range.after).number(range.family).bounded(range.limit);
  visit_rows(run, visit);
}

void visit_referrers(SqliteConnection& connection, const RecordRange& range, const RecordVisitor& visit) {
  Run run = connection.run(range.with_text ? Query::referrers : Query::referrers_bare);
  run.id(range.key).id(range.after).number(range.family).bounded(range.limit);
  visit_rows(run, visit);
}

}  // namespace

std::optional<Record> read_record(SqliteConnection& connection, const Id& id) {
  Run run = connection.run(Query::record);
  run.id(id);
  return run.step() ? std::optional(read_record(run)) : std::nullopt;
}

std::optional<Machine> read_machine(SqliteConnection& connection, const Id& id) {
  Run run = connection.run(Query::machine);
  run.id(id);
  return run.step() ? std::optional(read_machine(run)) : std::nullopt;
}

std::optional<Id> read_name(SqliteConnection& connection, std::string_view name_key) {
  const std::string key(name_key);
  Run run = connection.run(Query::record_of_name);
  run.text(key);
  return run.step() ? std::optional(run.id_at(0)) : std::nullopt;
}

RecordLinks read_links(SqliteConnection& connection, const Id& id) {
  RecordLinks links;
  {
    Run run = connection.run(Query::record_name);
    run.id(id);
    if (run.step()) run.read_bytes(0, links.name_key);
  }
  Run run = connection.run(Query::references_of);
  run.id(id);
  while (run.step()) links.references.push_back(run.id_at(0));
  return links;
}

void visit_records(SqliteConnection& connection, const RecordRange& range, const RecordVisitor& visit) {
  switch (range.by) {
    case RecordRange::By::parent:
      if (range.family == 0) visit_children(connection, range, visit);
      else visit_children_of_family(connection, range, visit);
      return;
    case RecordRange::By::reference:
      visit_referrers(connection, range, visit);
      return;
  }
}

void visit_machines(SqliteConnection& connection, const MachineRange& range, const MachineVisitor& visit) {
  const bool by_owner = range.by == MachineRange::By::owner;
  Run run = connection.run(by_owner ? Query::machines_of_owner : Query::active_machines);
  if (by_owner) run.id_or_null(range.owner);
  run.number(range.family);
  while (run.step()) {
    if (!visit(read_machine(run))) return;
  }
}

void visit_events(SqliteConnection& connection, const EventRange& range, const EventVisitor& visit) {
  const bool is_ascending = range.order == EventRange::Order::ascending;
  Query query = is_ascending ? Query::events : Query::newest_events;
  Id key;
  if (!range.organization.is_nil()) {
    key = range.organization;
    query = is_ascending ? Query::authored_events : Query::newest_authored_events;
  } else if (!range.request.is_nil()) {
    key = range.request;
    query = is_ascending ? Query::events_of_request : Query::newest_events_of_request;
  } else if (!range.subject.is_nil()) {
    key = range.subject;
    query = is_ascending ? Query::events_of_subject : Query::newest_events_of_subject;
  }
  Run run = connection.run(query);
  run.bounded(range.after).bounded(range.before).bounded(range.limit);
  if (!key.is_nil()) run.id(key);
  while (run.step()) {
    if (!visit(read_event(run))) return;
  }
}

}  // namespace orlop
