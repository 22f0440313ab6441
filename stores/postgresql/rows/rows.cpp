#include "rows/rows.h"

#include <charconv>
#include <limits>
#include <string>

namespace orlop::postgresql {
namespace {

using Machines = std::span<const orlop_machine* const>;

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
template <typename Member>
void put_uuid(Parameters& out, Machines machines, Member member) {
  out.array(Type::uuid, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_uuid(machine->*member); });
}
template <typename Member>
void put_uuid_or_null(Parameters& out, Machines machines, Member member) {
  out.array(Type::uuid, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_uuid_or_null(machine->*member); });
}
template <typename Member>
void put_smallint(Parameters& out, Machines machines, Member member) {
  out.array(Type::smallint, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_smallint(machine->*member); });
}
template <typename Member>
void put_integer(Parameters& out, Machines machines, Member member) {
  out.array(Type::integer, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_integer(machine->*member); });
}
template <typename Member>
void put_bigint(Parameters& out, Machines machines, Member member) {
  out.array(Type::bigint, machines,
            [&](Parameters& array, const orlop_machine* machine) { array.add_bigint(static_cast<std::int64_t>(machine->*member)); });
}
template <typename Member>
void put_boolean(Parameters& out, Machines machines, Member member) {
  out.array(Type::boolean, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_boolean(machine->*member != 0); });
}
template <typename Member>
void put_time(Parameters& out, Machines machines, Member member) {
  out.array(Type::bigint, machines, [&](Parameters& array, const orlop_machine* machine) {
    if (machine->*member == ORLOP_NO_TIME) array.add_null();
    else array.add_bigint(machine->*member);
  });
}
template <typename Member>
void put_bytes(Parameters& out, Machines machines, Member member) {
  out.array(Type::bytes, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_bytes_or_null(view_of(machine->*member)); });
}
template <typename Member>
void put_phases(Parameters& out, Machines machines, Member) {
  out.array(Type::text, machines, [&](Parameters& array, const orlop_machine* machine) { array.add_bytes_or_null(text_of_phases(*machine)); });
}

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

using Events = std::span<const orlop_event* const>;

template <typename Each>
void put_event_column(Parameters& out, Type type, Events events, const Each& each) {
  out.array(type, events, [&](Parameters& array, const orlop_event* event) { each(array, *event); });
}

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

void put_machines(Parameters& parameters, Machines machines) {
#define ORLOP_MACHINE_COLUMN(column, kind, member) put_##kind(parameters, machines, &orlop_machine::member);
#include "rows/machines.def"
#undef ORLOP_MACHINE_COLUMN
}

void put_events(Parameters& out, Events events, std::optional<std::uint64_t> first) {
  if (first) {
    std::int64_t sequence = static_cast<std::int64_t>(*first);
    put_event_column(out, Type::bigint, events, [&](Parameters& array, const orlop_event&) { array.add_bigint(sequence++); });
  }
  put_event_column(out, Type::bigint, events, [](Parameters& array, const orlop_event& event) { array.add_bigint(event.at_ms); });
  put_event_column(out, Type::smallint, events, [](Parameters& array, const orlop_event& event) { array.add_smallint(event.kind); });
  put_event_column(out, Type::integer, events, [](Parameters& array, const orlop_event& event) { array.add_integer(event.family); });
  put_event_column(out, Type::smallint, events, [](Parameters& array, const orlop_event& event) { array.add_smallint(event.from); });
  put_event_column(out, Type::smallint, events, [](Parameters& array, const orlop_event& event) { array.add_smallint(event.to); });
  for (const auto member : {&orlop_event::subject, &orlop_event::owner, &orlop_event::organization, &orlop_event::request}) {
    put_event_column(out, Type::uuid, events, [member](Parameters& array, const orlop_event& event) { array.add_uuid_or_null(event.*member); });
  }
  put_event_column(out, Type::bigint, events,
                   [](Parameters& array, const orlop_event& event) { array.add_bigint(static_cast<std::int64_t>(event.revision)); });
  for (const auto member : {&orlop_event::author, &orlop_event::detail}) {
    put_event_column(out, Type::bytes, events,
                     [member](Parameters& array, const orlop_event& event) { array.add_bytes_or_null(view_of(event.*member)); });
  }
  put_event_column(out, Type::bigint, events, [](Parameters& array, const orlop_event& event) { array.add_bigint(event.id_count); });
}

void put_event(Parameters& out, const orlop_event& event, std::optional<std::uint64_t> number) {
  if (number) out.bigint(static_cast<std::int64_t>(*number));
  out.bigint(event.at_ms).integer(event.kind).integer(event.family).integer(event.from).integer(event.to);
  for (const auto member : {&orlop_event::subject, &orlop_event::owner, &orlop_event::organization, &orlop_event::request}) out.uuid_or_null(event.*member);
  out.bigint(static_cast<std::int64_t>(event.revision)).bytes_or_null(view_of(event.author)).bytes_or_null(view_of(event.detail)).bigint(event.id_count);
}

}  // namespace orlop::postgresql
