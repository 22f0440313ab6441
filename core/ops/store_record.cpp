#include "ops/store_record.h"

#include <optional>

#include "ops/name.h"
#include "ops/record_event.h"
#include "wire/writer.h"

namespace orlop {

namespace {

std::string described(std::string_view name, const std::vector<std::string>& changed) {
  if (name.empty() && changed.empty()) return {};
  Writer out;
  out.begin_object();
  if (!name.empty()) out.field("name", name);
  if (!changed.empty()) {
    out.key("fields").begin_list();
    for (const std::string& field : changed) out.value(field);
    out.end_list();
  }
  out.end_object();
  return std::move(out).take();
}

}  // namespace

Result<Record> put_value(Unit& unit, const Family& family, Record record, Value value, EventKind event,
                         const std::vector<std::string>& changed) {
  std::optional<std::string> key;  // none: a record without a name keeps the key that it may have
  std::string name;
  if (const Field* field = name_field(family)) {
    name = value.text_or(field->name, "");
    key = name_key(family, record.parent, record.organization, name);
    ORLOP_CHECK(require_free_name(unit, family, *key, name, record));
  }
  std::vector<Id> references = references_of(family.fields, value);
  const Value secrets = split_secrets(family.fields, value);
  record.secrets = secrets.is_null() ? "" : to_json(secrets);
  record.body = to_json(value);

  if (family.has_events) emit_about(unit, record, event, record.revision + 1, described(name, changed));
  unit.put(record, std::move(key), std::move(references));
  ++record.revision;
  return record;
}

}  // namespace orlop
