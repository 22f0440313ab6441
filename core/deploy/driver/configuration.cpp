#include "deploy/driver/configuration.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/helm_values.h"
#include "deploy/driver/sensitive_outputs.h"
#include "deploy/driver/surrounding_records.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/record_value.h"
#include "unit/find_record.h"
#include "wire/read_plain.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// False for records with a machine, such as environments and clusters.
bool is_resolved(const Record& referred) {
  const Family* family = find_family(referred.family);
  return family != nullptr && family->machine == MachineKind::none;
}

// Writes the referred records by id, with their secrets; nothing if there are none.
Result<void> write_references(Unit& unit, const Family& family, const Value& body, SecretValues& secrets, Writer& out) {
  bool is_open = false;
  for (const Id& id : references_of(family.fields, body)) {
    ORLOP_TRY(referred, unit.record(id));
    if (!referred || !is_resolved(*referred)) continue;
    ORLOP_TRY(text, secrets.text_of(*referred));
    if (!std::exchange(is_open, true)) out.key("references").begin_object();
    out.field_raw(to_text(id), text);
  }
  if (is_open) out.end_object();
  return {};
}

// Returns null if the record is not a database.
Result<Value> master_credentials_of(Unit& unit, const Family& family, const Id& subject, SecretValues& secrets) {
  if (family.service_kind != "DATABASE") return Value();
  ORLOP_TRY(credentials, find_child(unit, subject, database_credentials_number));
  if (!credentials) return Value();
  return secrets.value_of(*credentials);
}

// Writes the service of a task: its record, and its master credentials.
Result<void> write_service_of(Unit& unit, const Family& family, const Record& record, SecretValues& secrets,
                              Writer& out) {
  if (family.machine != MachineKind::task) return {};
  ORLOP_TRY(parent, unit.record(record.parent));
  const Family* above = parent ? find_family(parent->family) : nullptr;
  if (above == nullptr || !is_service(*above)) return {};
  ORLOP_TRY(text, secrets.text_of(*parent));
  out.field_raw(above->name, text);
  ORLOP_TRY(credentials, master_credentials_of(unit, *above, parent->id, secrets));
  if (!credentials.is_null()) out.field("master_credentials", credentials);
  return {};
}

constexpr std::string_view added_names[] = {"master_credentials", "references",      "variables", "outputs",
                                            "revision",           "deployment_stage"};

Result<void> write_stage(Unit& unit, const Family& family, const Id& service, Writer& out) {
  if (!is_service(family)) return {};
  ORLOP_TRY(machine, unit.machine(service));
  ORLOP_TRY(stage, machine ? unit.record(machine->stage) : Result<Shared<Record>>(Shared<Record>()));
  if (!stage) return {};
  ORLOP_TRY(text, full_text(*stage));
  out.field_raw("deployment_stage", text);
  return {};
}

// Returns the record as JSON text without its last brace, and without members that are added to it.
std::string opened_text(const Record& record, Value& value, const Value* overrides) {
  bool is_as_stored = record.secrets.empty() && record.body.ends_with('}');
  if (overrides != nullptr && !overrides->members().empty()) {
    for (const Member& member : overrides->members()) value.set(member.name, member.value);
    is_as_stored = false;
  }
  std::vector<std::string> clashing;
  for (const Member& member : value.members()) {
    if (std::ranges::find(added_names, member.name) != std::end(added_names) || is_surrounding_member(member.name))
      clashing.emplace_back(member.name);
  }
  for (const std::string& name : clashing) {
    value.erase(name);
    is_as_stored = false;
  }
  std::string text = is_as_stored ? record.body : to_json(value);
  text.pop_back();
  return text;
}

// Replaces variables in the values of a Helm service, also in values that the request overrides.
Result<void> fill_values(Unit& unit, const Record& record, const Value& body, const StepValues& values,
                         const StepVariables& variables, Value& replaced) {
  if (!takes_variables(record)) return {};
  const Value* given = replaced.find("values_override");
  if (given == nullptr) given = body.find("values_override");
  if (given == nullptr || !given->is_object()) return {};
  ORLOP_TRY(filled, with_variables(record, *given, values, unit.settings().brand, variables.remarks));
  if (filled != *given) replaced.set("values_override", std::move(filled));
  return {};
}

}  // namespace

Result<std::string> configuration_of(Unit& unit, const Record& record, const Value* overrides, const Value& outputs,
                                     const StepVariables& variables, SecretValues& secrets) {
  add_sensitive(outputs, secrets);
  ORLOP_TRY(value, secrets.value_of(record));
  const Family* family = find_family(record.family);
  Value replaced = overrides != nullptr && overrides->is_object() ? *overrides : Value::object();
  Writer added;
  added.begin_object();
  if (family != nullptr) {
    ORLOP_TRY(credentials, master_credentials_of(unit, *family, record.id, secrets));
    if (!credentials.is_null()) added.field("master_credentials", credentials);
    ORLOP_CHECK(write_references(unit, *family, value, secrets, added));
    ORLOP_TRY(values, resolve_step(unit, record, outputs, variables));
    if (values) {
      values->add_secrets(secrets);
      if (!secrets.are_read()) values->leave_out_secrets();
      ORLOP_CHECK(check_references(record, *values, variables));
      ORLOP_CHECK(fill_values(unit, record, value, *values, variables, replaced));
      values->write(added);
    }
    ORLOP_CHECK(write_stage(unit, *family, record.id, added));
    ORLOP_CHECK(write_above(unit, record, secrets, added));
    ORLOP_CHECK(write_service_of(unit, *family, record, secrets, added));
    ORLOP_CHECK(write_children(unit, record, secrets, added));
    write_groups(value, added);
  }
  ORLOP_CHECK(secrets.check_missing());
  if (!outputs.is_null()) added.field("outputs", secrets.are_read() ? outputs : without_sensitive(outputs));
  added.field("revision", record.revision).end_object();
  std::string text = opened_text(record, value, &replaced);
  if (text.size() > 1) text.push_back(',');
  return text.append(added.text(), 1);
}

}  // namespace orlop
