#include "rows/rows.h"

#include <charconv>
#include <limits>
#include <string>

namespace orlop::postgresql {
namespace {

// "PHASE,STATUS,MILLISECONDS;…"
std::string text_of_phases(const orlop_machine& machine) {
  std::string out;
  for (size_t at = 0; at < machine.phase_count; ++at) {
    const orlop_phase& phase = machine.phases[at];
    out += std::to_string(phase.phase) + "," + std::to_string(phase.status) + "," + std::to_string(phase.spent_ms) + ";";
  }
  return out;
}

template <typename Number>
bool take_number(std::string_view& text, char end, Number& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop == text.data() + text.size() || *stop != end) return false;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return true;
}

// What cannot be read ends the list: the library never wrote it.
void read_phases(std::string_view text, std::vector<orlop_phase>& phases) {
  phases.clear();
  orlop_phase phase{};
  while (!text.empty() && take_number(text, ',', phase.phase) && take_number(text, ',', phase.status) && take_number(text, ';', phase.spent_ms)) {
    phases.push_back(phase);
  }
}

// One of these for each kind of machines.def.
void put_uuid(Parameters& fields, const orlop_machine&, const orlop_id& value) { fields.field(Type::uuid).add_uuid(value); }
void put_uuid_or_null(Parameters& fields, const orlop_machine&, const orlop_id& value) { fields.field(Type::uuid).add_uuid_or_null(value); }
void put_smallint(Parameters& fields, const orlop_machine&, std::int16_t value) { fields.field(Type::smallint).add_smallint(value); }
template <typename Number>
void put_integer(Parameters& fields, const orlop_machine&, Number value) { fields.field(Type::integer).add_integer(static_cast<std::int32_t>(value)); }
template <typename Number>
void put_bigint(Parameters& fields, const orlop_machine&, Number value) { fields.field(Type::bigint).add_bigint(static_cast<std::int64_t>(value)); }
void put_boolean(Parameters& fields, const orlop_machine&, std::uint8_t value) { fields.field(Type::boolean).add_boolean(value != 0); }
void put_time(Parameters& fields, const orlop_machine&, std::int64_t value) {
  fields.field(Type::bigint);
  if (value == ORLOP_NO_TIME) fields.add_null();
  else fields.add_bigint(value);
}
void put_bytes(Parameters& fields, const orlop_machine&, orlop_text value) { fields.field(Type::bytes).add_bytes_or_null(view_of(value)); }
void put_phases(Parameters& fields, const orlop_machine& machine, const orlop_phase*) { fields.field(Type::text).add_bytes_or_null(text_of_phases(machine)); }

constexpr int machine_column_count = 0
#define ORLOP_MACHINE_COLUMN(column, kind, member) +1
#include "rows/machines.def"
#undef ORLOP_MACHINE_COLUMN
    ;
constexpr int event_column_count = 14;

struct Reader {
  const Rows& rows;
  int row;
  int column = 0;
  std::vector<orlop_phase>& phases;

  void read_uuid(orlop_machine&, orlop_id& to) { to = rows.uuid(row, column++); }
  void read_uuid_or_null(orlop_machine&, orlop_id& to) { to = rows.uuid(row, column++); }
  template <typename Number>
  void read_smallint(orlop_machine&, Number& to) { to = static_cast<Number>(rows.smallint(row, column++)); }
  template <typename Number>
  void read_integer(orlop_machine&, Number& to) { to = static_cast<Number>(rows.integer(row, column++)); }
  template <typename Number>
  void read_bigint(orlop_machine&, Number& to) { to = static_cast<Number>(rows.bigint(row, column++)); }
  void read_boolean(orlop_machine&, std::uint8_t& to) { to = rows.boolean(row, column++) ? 1 : 0; }
  void read_time(orlop_machine&, std::int64_t& to) {
    to = rows.is_null(row, column) ? ORLOP_NO_TIME : rows.bigint(row, column);
    ++column;
  }
  void read_bytes(orlop_machine&, orlop_text& to) { to = text_of(rows.bytes(row, column++)); }
  void read_phases(orlop_machine& machine, const orlop_phase*& to) {
    postgresql::read_phases(rows.bytes(row, column++), phases);
    to = phases.data();
    machine.phase_count = phases.size();
  }
};

}  // namespace

orlop_record read_record(const Rows& rows, int row) {
  orlop_record record{};
  record.size = sizeof record;
  record.id = rows.uuid(row, 0);
  record.family = static_cast<std::uint16_t>(rows.integer(row, 1));
  record.parent = rows.uuid(row, 2);
  record.organization = rows.uuid(row, 3);
  record.revision = static_cast<std::uint64_t>(rows.bigint(row, 4));
  record.secrets = text_of(rows.bytes(row, 5));
  record.body = text_of(rows.bytes(row, 6));
  return record;
}

orlop_machine read_machine(const Rows& rows, int row, std::vector<orlop_phase>& phases) {
  orlop_machine machine{};
  machine.size = sizeof machine;
  Reader reader{rows, row, 0, phases};
#define ORLOP_MACHINE_COLUMN(column, kind, member) reader.read_##kind(machine, machine.member);
#include "rows/machines.def"
#undef ORLOP_MACHINE_COLUMN
  return machine;
}

orlop_event read_event(const Rows& rows, int row) {
  orlop_event event{};
  event.size = sizeof event;
  event.sequence = static_cast<std::uint64_t>(rows.bigint(row, 0));
  event.at_ms = rows.bigint(row, 1);
  event.kind = static_cast<std::uint8_t>(rows.smallint(row, 2));
  event.family = static_cast<std::uint16_t>(rows.integer(row, 3));
  event.from = static_cast<std::uint8_t>(rows.smallint(row, 4));
  event.to = static_cast<std::uint8_t>(rows.smallint(row, 5));
  event.subject = rows.uuid(row, 6);
  event.owner = rows.uuid(row, 7);
  event.organization = rows.uuid(row, 8);
  event.request = rows.uuid(row, 9);
  event.revision = static_cast<std::uint64_t>(rows.bigint(row, 10));
  event.author = text_of(rows.bytes(row, 11));
  event.detail = text_of(rows.bytes(row, 12));
  event.id_count = static_cast<std::uint32_t>(rows.bigint(row, 13));
  return event;
}

void put_machines(Parameters& parameters, Oid type, std::span<const orlop_machine* const> machines) {
  parameters.rows(type, machine_column_count, machines, [](Parameters& fields, const orlop_machine* machine) {
#define ORLOP_MACHINE_COLUMN(column, kind, member) put_##kind(fields, *machine, machine->member);
#include "rows/machines.def"
#undef ORLOP_MACHINE_COLUMN
  });
}

void put_events(Parameters& parameters, Oid type, std::span<const orlop_event* const> events, std::optional<std::uint64_t> first) {
  std::int64_t sequence = static_cast<std::int64_t>(first.value_or(0));
  parameters.rows(type, event_column_count, events, [&](Parameters& fields, const orlop_event* event) {
    fields.field(Type::bigint).add_bigint(sequence++);
    fields.field(Type::bigint).add_bigint(event->at_ms);
    fields.field(Type::smallint).add_smallint(event->kind);
    fields.field(Type::integer).add_integer(event->family);
    fields.field(Type::smallint).add_smallint(event->from);
    fields.field(Type::smallint).add_smallint(event->to);
    for (const auto member : {&orlop_event::subject, &orlop_event::owner, &orlop_event::organization, &orlop_event::request}) fields.field(Type::uuid).add_uuid_or_null(event->*member);
    fields.field(Type::bigint).add_bigint(static_cast<std::int64_t>(event->revision));
    for (const auto member : {&orlop_event::author, &orlop_event::detail}) fields.field(Type::bytes).add_bytes_or_null(view_of(event->*member));
    fields.field(Type::bigint).add_bigint(event->id_count);
  });
}

void put_event(Parameters& out, const orlop_event& event, std::optional<std::uint64_t> number) {
  if (number) out.bigint(static_cast<std::int64_t>(*number));
  out.bigint(event.at_ms).integer(event.kind).integer(event.family).integer(event.from).integer(event.to);
  for (const auto member : {&orlop_event::subject, &orlop_event::owner, &orlop_event::organization, &orlop_event::request}) out.uuid_or_null(event.*member);
  out.bigint(static_cast<std::int64_t>(event.revision)).bytes_or_null(view_of(event.author)).bytes_or_null(view_of(event.detail)).bigint(event.id_count);
}

}  // namespace orlop::postgresql
