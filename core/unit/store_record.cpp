#include "unit/store_record.h"

#include <memory>
#include <optional>
#include <utility>

#include "model/metadata.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop {

namespace {

constexpr std::size_t usual_record_size = 1500;
constexpr std::size_t usual_event_size = 32;  // besides the record's name

std::string described(std::string_view name, const std::vector<std::string>& changed, const Value* metadata) {
  if (name.empty() && changed.empty() && metadata == nullptr) return {};
  Writer out(name.size() + usual_event_size);
  out.begin_object();
  if (!name.empty()) out.field("name", name);
  if (!changed.empty()) {
    out.key("fields").begin_list();
    for (const std::string& field : changed) out.value(field);
    out.end_list();
  }
  if (metadata != nullptr) out.field(metadata_field.name, *metadata);
  out.end_object();
  return std::move(out).take();
}

// Returns the stored text of an edited record; null if the record is new or changes its family, parent or organization.
Result<std::shared_ptr<const Value>> text_before(Unit& unit, const Record& record) {
  if (record.revision == 0) return std::shared_ptr<const Value>();
  ORLOP_TRY(stored, unit.record(record.id));
  if (!stored || stored->family != record.family || stored->parent != record.parent ||
      stored->organization != record.organization)
    return std::shared_ptr<const Value>();
  // The public text lacks secret members and cannot be compared.
  if (!stored->secrets.empty()) return std::shared_ptr<const Value>();
  return unit.value_of(*stored);
}

// Writes the record. `body`: beginning of its text. A name and references that do not change are neither checked nor
// written again.
Result<Record> put_text(Unit& unit, const Family& family, Record&& record, Value&& value, Writer&& body,
                        EventKind event, const std::vector<std::string>& changed) {
  ORLOP_TRY(before, text_before(unit, record));
  std::optional<std::string> key;  // nullopt: the record keeps its key
  std::string name;
  if (const Field* field = name_field(family)) {
    name = value.text_or(field->name, "");
    if (before == nullptr || before->text_or(field->name, "") != name) {
      key = name_key(family, record.parent, record.organization, name);
      ORLOP_CHECK(require_free_name(unit, family, *key, name, record));
    }
  }
  std::optional<std::vector<Id>> references = references_of(family.fields, value);
  if (before != nullptr && *references == references_of(family.fields, *before)) references.reset();
  const Value secrets = split_secrets(family.fields, value);
  record.secrets = secrets.is_null() ? "" : to_json(secrets);
  record.body = std::move(body.members_of(value).end_object()).take();

  if (family.has_events)
    emit_about(unit, record, event, record.revision + 1, described(name, changed, value.find(metadata_field.name)));
  unit.put(record, std::move(key), std::move(references));
  ++record.revision;
  return std::move(record);
}

}  // namespace

Result<Record> put_value(Unit& unit, const Family& family, Record record, Value value, EventKind event,
                         const std::vector<std::string>& changed) {
  Writer body(usual_record_size);
  body.begin_object();
  return put_text(unit, family, std::move(record), std::move(value), std::move(body), event, changed);
}

namespace {

void begin(Writer& body, const Record& record, Instant now) {
  char letters[instant_text_size];
  write_text(letters, now);
  const std::string_view time(letters, sizeof letters);
  body.begin_object().field("id", record.id).field("created_at", time).field("updated_at", time);
}

}  // namespace

Result<Record> put_new_value(Unit& unit, const Family& family, Record&& record, Value&& value) {
  Writer body(usual_record_size);
  if (family.is_internal) body.begin_object();
  else begin(body, record, unit.now());
  return put_text(unit, family, std::move(record), std::move(value), std::move(body), EventKind::created, {});
}

void emit_about(Unit& unit, const Record& record, EventKind kind, std::uint64_t revision, std::string detail) {
  Event event;
  event.kind = kind;
  event.family = record.family;
  event.subject = record.id;
  event.owner = record.parent;
  event.organization = record.organization;
  event.revision = revision;
  event.detail = std::move(detail);
  unit.emit(std::move(event));
}

void emit_edited(Unit& unit, const Record& record, std::string detail) {
  emit_about(unit, record, EventKind::edited, record.revision + 1, std::move(detail));
}

}  // namespace orlop
