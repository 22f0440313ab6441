#include "deploy/configuration.h"

#include "model/registry.h"
#include "model/validate.h"
#include "ops/verbs.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// What a step knows of its surroundings by other means: the environment and the cluster have records of their own to be read.
bool is_resolved(const Record& referred) {
  const Family* family = find_family(referred.family);
  return family != nullptr && family->machine == MachineKind::none;
}

// By id; null if the record refers to nothing.
Result<Value> references_with_secrets(Unit& unit, const Family& family, const Value& body) {
  Value references;
  for (const Id& id : references_of(family.fields, body)) {
    ORLOP_TRY(referred, unit.record(id));
    if (!referred || !is_resolved(*referred)) continue;
    ORLOP_TRY(value, full_value(*referred));
    references.set(to_text(id), std::move(value));
  }
  return references;
}

// Null for what is no database.
Result<Value> master_credentials_of(Unit& unit, const Family& family, const Id& subject) {
  if (family.service_kind != "DATABASE") return Value();
  RecordRange range;
  range.key = subject;
  range.family = database_credentials_number;
  ORLOP_TRY(credentials, unit.records(range));
  return credentials.empty() ? Value() : full_value(credentials.front());
}

void set_known(Value& value, std::string_view name, Value member) {
  if (!member.is_null()) value.set(name, std::move(member));
}

}  // namespace

Result<std::string> configuration_of(Unit& unit, const Record& record, const Value* overrides, const Value& outputs) {
  ORLOP_TRY(value, full_value(record));
  Value credentials;
  Value references;
  if (const Family* family = find_family(record.family)) {
    ORLOP_TRY(entrance, master_credentials_of(unit, *family, record.id));
    ORLOP_TRY(referred, references_with_secrets(unit, *family, value));
    credentials = std::move(entrance);
    references = std::move(referred);
  }
  if (overrides != nullptr && overrides->is_object()) {
    for (const Member& member : overrides->members()) value.set(member.name, member.value);
  }
  set_known(value, "master_credentials", std::move(credentials));
  set_known(value, "references", std::move(references));
  set_known(value, "outputs", outputs);
  value.set("revision", Value(static_cast<std::int64_t>(record.revision)));
  return to_json(value);
}

}  // namespace orlop
