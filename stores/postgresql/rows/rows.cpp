#include "rows/rows.h"

#include <cstring>
#include <string>
#include <string_view>

#include "server/big_endian.h"

namespace orlop::postgresql {
namespace {

// Texts and phases follow their size.
template <typename Number>
void append_member(std::string& body, Number value) {
  append_number(body, value);
}
void append_member(std::string& body, const orlop_id& id) {
  body.append(reinterpret_cast<const char*>(id.bytes), sizeof id.bytes);
}
void append_member(std::string& body, const orlop_text& text) {
  append_number(body, static_cast<std::uint32_t>(text.size));
  body.append(view_of(text));
}

std::string body_of(const orlop_machine& machine) {
  std::string body;
  body.reserve(256);
#define ORLOP_MACHINE_MEMBER(member) append_member(body, machine.member);
#include "rows/machines.def"
#undef ORLOP_MACHINE_MEMBER
  append_number(body, static_cast<std::uint32_t>(machine.phase_count));
  for (std::size_t at = 0; at < machine.phase_count; ++at) {
    append_number(body, machine.phases[at].phase);
    append_number(body, machine.phases[at].status);
    append_number(body, machine.phases[at].spent_ms);
  }
  return body;
}

// Reads the output of body_of().
class BodyReader {
 public:
  explicit BodyReader(std::string_view left) : left_(left) {}
  // Reports whether the body had enough bytes, and none is left.
  bool is_sound() const { return is_sound_ && left_.empty(); }

  template <typename Number>
  void take(Number& value) {
    value = static_cast<Number>(number_of(bytes(sizeof value)));
  }
  void take(orlop_id& id) {
    if (const std::string_view found = bytes(sizeof id.bytes); !found.empty())
      std::memcpy(id.bytes, found.data(), found.size());
  }
  void take(orlop_text& text) {
    std::uint32_t size = 0;
    take(size);
    text = text_of(bytes(size));
  }
  void take(std::vector<orlop_phase>& phases) {
    std::uint32_t count = 0;
    take(count);
    phases.clear();
    for (orlop_phase phase{}; count != 0 && is_sound_; --count) {
      take(phase.phase);
      take(phase.status);
      take(phase.spent_ms);
      phases.push_back(phase);
    }
  }

 private:
  std::string_view bytes(std::size_t size) {
    is_sound_ = is_sound_ && size <= left_.size();
    if (!is_sound_) return {};
    const std::string_view found = left_.substr(0, size);
    left_.remove_prefix(size);
    return found;
  }

  std::string_view left_;
  bool is_sound_ = true;
};

constexpr int machine_column_count = 7;

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

Status read_machine(const Rows& rows, int row, std::vector<orlop_phase>& phases, orlop_machine& machine) {
  machine = {};
  machine.size = sizeof machine;
  machine.id = rows.uuid(row, id_at);
  machine.family = static_cast<std::uint16_t>(rows.integer(row, 1));
  machine.owner = rows.uuid(row, 2);
  machine.partition = static_cast<std::uint8_t>(rows.smallint(row, 3));
  machine.revision = static_cast<std::uint64_t>(rows.bigint(row, revision_at));
  machine.active = rows.boolean(row, 5) ? 1 : 0;
  BodyReader body(rows.bytes(row, 6));
#define ORLOP_MACHINE_MEMBER(member) body.take(machine.member);
#include "rows/machines.def"
#undef ORLOP_MACHINE_MEMBER
  body.take(phases);
  machine.phases = phases.data();
  machine.phase_count = phases.size();
  return body.is_sound() ? Status()
                         : Status{ORLOP_ERROR_STORAGE_CORRUPT, "machine " + text_of(machine.id) + " cannot be read"};
}

void put_machines(Parameters& parameters, Oid type, std::span<const orlop_machine* const> machines) {
  parameters.rows(type, machine_column_count, machines, [](Parameters& fields, const orlop_machine* machine) {
    fields.field(Type::uuid).add_uuid(machine->id);
    fields.field(Type::integer).add_integer(machine->family);
    fields.field(Type::uuid).add_uuid(machine->owner);
    fields.field(Type::smallint).add_smallint(machine->partition);
    fields.field(Type::bigint).add_bigint(static_cast<std::int64_t>(machine->revision));
    fields.field(Type::boolean).add_boolean(machine->active != 0);
    fields.field(Type::bytes).add_bytes(body_of(*machine));
  });
}

}  // namespace orlop::postgresql
