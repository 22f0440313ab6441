#include "store/sqlite/rows/sqlite_rows.h"

#include <sqlite3.h>

#include <charconv>
#include <string_view>

namespace orlop {
namespace {

// Reads the columns of a row in order. Integers always fit, because this library has written them.
class Columns {
 public:
  // Starts at column `first`.
  Columns(const StatementRun& run, SqliteConnection& connection, int first = 0)
      : run_(run), connection_(connection), column_(first) {}

  template <typename Integer>
  void take(Integer& out) {
    out = static_cast<Integer>(run_.integer_at(column_++));
  }
  void take(Id& out) { out = run_.id_at(column_++); }
  void take_numbered(Id& out) { out = connection_.identities().id_of(connection_, run_.integer_at(column_++)); }
  // The next read is often about a record that was just read.
  void take_number_of(const Id& id) { connection_.identities().know(run_.integer_at(column_++), id); }
  // Reports whether the next `count` columns are NULL.
  bool are_null(int count) const {
    int column = column_;
    while (column < column_ + count && run_.is_null(column)) ++column;
    return column == column_ + count;
  }
  void take(Instant& out) { out.milliseconds = run_.integer_at(column_++); }
  void take(OptionalInstant& out) { out = run_.instant_at(column_++); }
  void take(std::string& out) { run_.read_text(column_++, out); }
  void take_bytes(std::string& out) { run_.read_bytes(column_++, out); }

 private:
  const StatementRun& run_;
  SqliteConnection& connection_;
  int column_;
};

// Reads the next number of a packed text, which `end` or the end of the text must follow.
template <typename Number>
void take_number(std::string_view& text, char end, Number& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  const bool is_last = text.empty() && end == ';';
  if (error != std::errc() || (!is_last && !text.starts_with(end)))
    throw SQLite::Exception("it holds phases that cannot be read", SQLITE_CORRUPT);
  if (!is_last) text.remove_prefix(1);
}

void unpack_phases(std::string_view text, PhaseTimings& phases) {
  phases.clear();
  while (!text.empty()) {
    std::int64_t phase = 0;
    std::int64_t status = 0;
    std::int64_t spent_ms = 0;
    take_number(text, ',', phase);
    take_number(text, ',', status);
    take_number(text, ';', spent_ms);
    const auto timing = PhaseTiming::of(phase, status, spent_ms);
    if (!timing) throw SQLite::Exception("it holds phases that cannot be read", SQLITE_CORRUPT);
    phases.push_back(*timing);
  }
}

}  // namespace

std::string packed_phases(const Machine& machine) {
  std::string text;
  for (const PhaseTiming& timing : machine.timing.phases) {
    if (!text.empty()) text += ';';
    text += std::to_string(timing.phase()) + ',' + std::to_string(timing.status()) + ',' +
            std::to_string(timing.spent().milliseconds);
  }
  return text;
}

void bind_record(StatementRun& run, SqliteConnection& connection, std::int64_t number, const Record& record) {
  SqliteIdentities& identities = connection.identities();
  run.integer(number).number(record.family).integer(identities.make_number(connection, record.parent));
  run.integer(identities.make_number(connection, record.organization)).number(record.revision);
  run.text_or_null(record.secrets).text(record.body);
}

void bind_machine(StatementRun& run, SqliteConnection& connection, std::int64_t number, const Machine& machine,
                  const std::string& phases) {
  SqliteIdentities& identities = connection.identities();
  const ActionDetail& detail = *machine.detail;
  run.integer(number)
      .number(machine.family)
      .integer(identities.make_number(connection, machine.owner))
      .number(machine.partition);
  run.number(machine.revision)
      .number(machine.state)
      .number(machine.origin_state)
      .number(machine.action)
      .number(machine.freshness);
  run.number(machine.running).number(machine.step_kind).number(static_cast<std::uint64_t>(machine.configuration));
  run.number(machine.active).number(machine.attempt).number(machine.plan_flags).number(machine.planned_flags);
  run.integer(machine.stage_order).integer(machine.number).number(machine.progress);
  run.integer(identities.make_number(connection, machine.request))
      .integer(identities.make_number(connection, machine.stage));
  run.id_or_null(machine.step).instant_or_null(machine.step_started_at).instant_or_null(machine.deadline);
  run.integer(machine.changed_at.milliseconds).instant_or_null(machine.last_deployment_at);
  run.number(machine.configured)
      .number(machine.deployed)
      .text_or_null(detail.execution_id)
      .text_or_null(detail.triggered_by);
  run.text_or_null(detail.reason).text_or_null(detail.outputs).text_or_null(detail.commit).text_or_null(phases);
  const ActionTiming& timing = machine.timing;
  run.instant_or_null(timing.started_at).instant_or_null(timing.ended_at).instant_or_null(timing.canceled_at);
  run.instant_or_null(timing.reported_at);
}

void bind_event(StatementRun& run, SqliteConnection& connection, const Event& event) {
  SqliteIdentities& identities = connection.identities();
  run.integer(event.at.milliseconds).number(static_cast<std::uint64_t>(event.kind)).number(event.family);
  run.number(event.from).number(event.to);
  for (const Id* id : {&event.subject, &event.owner, &event.organization, &event.request})
    run.number_or_null(identities.make_number(connection, *id));
  run.number(event.revision).text_or_null(event.author).text_or_null(event.detail.text()).number(event.id_count);
}

Record read_record(const StatementRun& run, SqliteConnection& connection, const Id& id) {
  Record record;
  read_record(run, connection, id, record);
  return record;
}

void read_record(const StatementRun& run, SqliteConnection& connection, const Id& id, Record& record) {
  Columns columns(run, connection);
  record.id = id;
  columns.take_number_of(record.id);
  columns.take(record.family);
  columns.take_numbered(record.parent);
  columns.take_numbered(record.organization);
  columns.take(record.revision);
  columns.take_bytes(record.secrets);
  columns.take(record.body);
}

void read_child(const StatementRun& run, SqliteConnection& connection, Record& record) {
  Columns columns(run, connection);
  columns.take(record.id);
  columns.take_number_of(record.id);
  columns.take_numbered(record.organization);
  columns.take(record.revision);
  columns.take_bytes(record.secrets);
  columns.take(record.body);
}

void read_numbered_machine(const StatementRun& run, SqliteConnection& connection, Machine& machine) {
  Columns columns(run, connection, 1);
  columns.take(machine.family);
  columns.take_numbered(machine.owner);
  columns.take(machine.partition);
  columns.take(machine.revision);
  columns.take(machine.state);
  columns.take(machine.origin_state);
  columns.take(machine.action);
  columns.take(machine.freshness);
  columns.take(machine.running);
  columns.take(machine.step_kind);
  columns.take(machine.configuration);
  columns.take(machine.active);
  columns.take(machine.attempt);
  columns.take(machine.plan_flags);
  columns.take(machine.planned_flags);
  columns.take(machine.stage_order);
  columns.take(machine.number);
  columns.take(machine.progress);
  columns.take_numbered(machine.request);
  columns.take_numbered(machine.stage);
  columns.take(machine.step);
  columns.take(machine.step_started_at);
  columns.take(machine.deadline);
  columns.take(machine.changed_at);
  columns.take(machine.last_deployment_at);
  columns.take(machine.configured);
  columns.take(machine.deployed);
  constexpr int detail_columns = 10;
  if (columns.are_null(detail_columns)) {
    machine.detail = {};
    machine.timing = {};
    return;
  }
  ActionDetail& detail = machine.detail.refill();
  columns.take(detail.execution_id);
  columns.take(detail.triggered_by);
  columns.take(detail.reason);
  columns.take(detail.outputs);
  columns.take(detail.commit);
  std::string phases;
  columns.take(phases);
  unpack_phases(phases, machine.timing.phases);
  columns.take(machine.timing.started_at);
  columns.take(machine.timing.ended_at);
  columns.take(machine.timing.canceled_at);
  columns.take(machine.timing.reported_at);
}

Machine read_machine(const StatementRun& run, SqliteConnection& connection) {
  Machine machine;
  machine.id = run.id_at(0);
  read_numbered_machine(run, connection, machine);
  return machine;
}

void read_machine_state(const StatementRun& run, SqliteConnection& connection, Machine& machine) {
  Columns columns(run, connection);
  columns.take(machine.id);
  columns.take(machine.family);
  columns.take(machine.state);
  columns.take(machine.freshness);
  columns.take(machine.plan_flags);
}

Event read_event(const StatementRun& run, SqliteConnection& connection) {
  Event event;
  Columns columns(run, connection);
  columns.take(event.sequence);
  columns.take(event.at);
  columns.take(event.kind);
  columns.take(event.family);
  columns.take(event.from);
  columns.take(event.to);
  columns.take_numbered(event.subject);
  columns.take_numbered(event.owner);
  columns.take_numbered(event.organization);
  columns.take_numbered(event.request);
  columns.take(event.revision);
  columns.take(event.author);
  columns.take(event.detail.edit());
  columns.take(event.id_count);
  return event;
}

}  // namespace orlop
