#include <algorithm>
#include <memory>

#include "model/registry.h"
#include "model/validate.h"
#include "ops/name.h"
#include "ops/path.h"
#include "ops/verbs.h"
#include "wire/json.h"
#include "wire/plain_run.h"
#include "wire/read_plain.h"
#include "wire/member.h"

namespace orlop {

std::optional<std::string_view> Query::find(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::string_view media_type(ContentType type) {
  switch (type) {
    case ContentType::json:
      return "application/json";
    case ContentType::yaml:
      return "application/x-yaml";
    case ContentType::text:
      return "text/plain";
    case ContentType::binary:
      return "application/octet-stream";
    case ContentType::events:
      return "text/event-stream";
  }
  return "application/json";
}

Error not_found(std::string_view what, const Id& id) {
  return make_error(ErrorCode::not_found, "there is no " + std::string(what) + " " + to_text(id));
}

Result<Record> require(Unit& unit, const Family& family, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record || record->family != family.number) return not_found(words_for(family), id);
  return std::move(record).take();
}

Result<Machine> require_machine(Unit& unit, const Id& id) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine) return not_found("resource", id);
  return std::move(machine).take();
}

Result<Shared<Record>> find_child(Unit& unit, const Id& parent, FamilyNumber family) {
  RecordRange range;
  range.key = parent;
  range.family = family;
  range.limit = 1;
  ORLOP_TRY(records, unit.records(range));
  return records.empty() ? Shared<Record>() : Shared<Record>(std::move(records.front()));
}

Result<Value> full_value(const Record& record) {
  ORLOP_TRY(value, parse_stored(record.body));
  if (!record.secrets.empty()) {
    ORLOP_TRY(secrets, parse_stored(record.secrets));
    join_secrets(value, secrets);
    if (const Family* family = find_family(record.family)) arrange(family->fields, value);
  }
  return std::move(value);
}

Result<std::string> full_text(const Record& record) {
  if (record.secrets.empty() && is_stored_object(record.body)) return record.body;
  ORLOP_TRY(value, full_value(record));
  return to_json(value);
}

Result<Value> as_request(const Family& family, const Record& record) {
  ORLOP_TRY(value, full_value(record));
  return without_read_only(family.fields, std::move(value));
}

namespace {

// What stands between the quotes of a text without escapes; "" for any other.
std::string_view plain_text_in(std::string_view raw) {
  const bool is_quoted = raw.size() >= 2 && raw.front() == '"' && raw.back() == '"';
  const std::string_view inside = is_quoted ? raw.substr(1, raw.size() - 2) : std::string_view();
  return skip_plain(inside.data(), inside.data() + inside.size()) == inside.data() + inside.size() ? inside : std::string_view();
}

}  // namespace

std::string name_of(const Record& record) {
  const Family* family = find_family(record.family);
  const Field* field = family == nullptr ? nullptr : name_field(*family);
  // A name need not be unique.
  if (field == nullptr && family != nullptr) {
    const auto named = std::ranges::find(family->fields, "name", &Field::name);
    if (named != family->fields.end()) field = std::to_address(named);
  }
  if (field == nullptr) return "";
  if (const std::string_view raw = raw_member(record.body, field->name); !raw.empty()) {
    if (const std::string_view plain = plain_text_in(raw); !plain.empty()) return std::string(plain);
    const auto name = parse_stored(raw);
    return name && name->is_text() ? name->as_text() : "";
  }
  const auto value = parse_stored(record.body);
  return value ? std::string(value->text_or(field->name, "")) : "";
}

Result<Answer> read(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  const std::uint64_t revision = record.revision;
  ORLOP_TRY(text, render(unit, *call.family, std::move(record)));
  return Answer{.body = std::move(text), .revision = revision};
}

}  // namespace orlop
