#include <algorithm>
#include <utility>

#include "model/metadata.h"
#include "model/registry.h"
#include "records/variables/copy_variables.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view more_mark = ", …";

// Joins as many keys as a metadata entry can hold.
std::string joined(std::string text, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    const std::string_view separator = text.empty() ? "" : ", ";
    if (text.size() + separator.size() + key.size() + more_mark.size() > metadata_value_size_max) {
      return text.ends_with(more_mark) ? text : text.append(more_mark);
    }
    text.append(separator).append(key);
  }
  return text;
}

}  // namespace

Result<void> list_lost_aliases(Unit& unit, const Id& copy, std::span<const std::string> keys) {
  if (keys.empty()) return {};
  ORLOP_TRY(record, unit.record(copy));
  if (!record) return {};
  ORLOP_TRY(body, parse_stored(record->body));
  const Value* given = body.find(metadata_field.name);
  Value metadata = given != nullptr && given->is_object() ? *given : Value::object();
  metadata.set(lost_aliases_name, Value(joined(std::string(metadata.text_or(lost_aliases_name, "")), keys)));
  body.set(metadata_field.name, metadata);
  Record edited = *record;
  edited.body = to_json(body);
  unit.put(std::move(edited));
  ORLOP_TRY(put, unit.record(copy));
  Writer detail;
  detail.begin_object().field("name", name_of(*record)).key(lost_aliases_name).begin_list();
  for (const std::string& key : keys) detail.value(std::string_view(key));
  detail.end_list().field(metadata_field.name, metadata).end_object();
  emit_about(unit, *put, EventKind::edited, put->revision, std::move(detail).take());
  return {};
}

void forget_lost_aliases(Value& body) {
  Value* metadata = body.find(metadata_field.name);
  if (metadata == nullptr || metadata->find(lost_aliases_name) == nullptr) return;
  metadata->erase(lost_aliases_name);
  if (metadata->members().empty()) body.erase(metadata_field.name);
}

}  // namespace orlop
