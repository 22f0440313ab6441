#include "store/sqlite_rows.h"

namespace orlop {
namespace {

// The next column of a row as any integer type; what this library wrote always fits.
class Columns {
 public:
  explicit Columns(const Run& run) : run_(run) {}

  template <typename Integer>
  void take(Integer& out) {
    out = static_cast<Integer>(run_.integer_at(column_++));
  }
  void take(Id& out) { out = run_.id_at(column_++); }
  void take(Instant& out) { out.milliseconds = run_.integer_at(column_++); }
  void take(std::string& out) { run_.read_text(column_++, out); }
  void take_bytes(std::string& out) { run_.read_bytes(column_++, out); }

 private:
  const Run& run_;
  int column_ = 0;
};

}  // namespace

void bind_record(Run& run, const Record& record) {
  run.id(record.id).number(record.family).id_or_null(record.parent).id_or_null(record.organization).number(record.revision);
  run.text_or_null(record.secrets).text(record.body);
}

void bind_machine(Run& run, const Machine& machine) {
  run.id(machine.id).number(machine.family).id_or_null(machine.owner).number(machine.revision).number(machine.state);
  run.number(machine.origin_state).number(machine.action).number(machine.freshness).number(machine.running);
  run.number(machine.step_kind)
      .number(machine.attempt)
      .number(machine.traits)
      .integer(machine.stage_order)
      .number(machine.active);
  run.id_or_null(machine.request).id_or_null(machine.stage).id_or_null(machine.step);
  run.integer(machine.step_started_at.milliseconds).integer(machine.deadline.milliseconds);
  run.integer(machine.changed_at.milliseconds).integer(machine.last_deployment_at.milliseconds);
  run.number(machine.configured).number(machine.deployed).text_or_null(machine.detail);
}

void bind_event(Run& run, const Event& event) {
  run.integer(event.at.milliseconds).number(static_cast<std::uint64_t>(event.kind)).number(event.family);
  run.number(event.from).number(event.to).id_or_null(event.subject).id_or_null(event.owner).id_or_null(event.organization);
  run.id_or_null(event.request).number(event.revision).text_or_null(event.author).text_or_null(event.detail);
}

Record read_record(const Run& run) {
  Record record;
  read_record(run, record);
  return record;
}

void read_record(const Run& run, Record& record) {
  Columns columns(run);
  columns.take(record.id);
  columns.take(record.family);
  columns.take(record.parent);
  columns.take(record.organization);
  columns.take(record.revision);
  columns.take_bytes(record.secrets);
  columns.take(record.body);
}

Machine read_machine(const Run& run) {
  Machine machine;
  Columns columns(run);
  columns.take(machine.id);
  columns.take(machine.family);
  columns.take(machine.owner);
  columns.take(machine.revision);
  columns.take(machine.state);
  columns.take(machine.origin_state);
  columns.take(machine.action);
  columns.take(machine.freshness);
  columns.take(machine.running);
  columns.take(machine.step_kind);
  columns.take(machine.attempt);
  columns.take(machine.traits);
  columns.take(machine.stage_order);
  columns.take(machine.active);
  columns.take(machine.request);
  columns.take(machine.stage);
  columns.take(machine.step);
  columns.take(machine.step_started_at);
  columns.take(machine.deadline);
  columns.take(machine.changed_at);
  columns.take(machine.last_deployment_at);
  columns.take(machine.configured);
  columns.take(machine.deployed);
  columns.take(machine.detail);
  return machine;
}

Event read_event(const Run& run) {
  Event event;
  Columns columns(run);
  columns.take(event.sequence);
  columns.take(event.at);
  columns.take(event.kind);
  columns.take(event.family);
  columns.take(event.from);
  columns.take(event.to);
  columns.take(event.subject);
  columns.take(event.owner);
  columns.take(event.organization);
  columns.take(event.request);
  columns.take(event.revision);
  columns.take(event.author);
  columns.take(event.detail);
  return event;
}

}  // namespace orlop
