#include "records/variables/copy_variables.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "records/variables/copied_texts.h"
#include "records/variables/variable_text.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

enum class Place : std::uint8_t { own, sibling, gone };

// Target of an alias or override in the copy.
struct Target {
  Place place = Place::own;
  Id id;
  Id service;  // service whose built-in it is; nil: none
};

bool is_link(VariableType type) { return type == VariableType::alias || type == VariableType::override_; }

// Returns the owner of the copy that corresponds to this owner of the source; null if it is not above the source.
const Record* counterpart(const VariableCopy& places, const Id& owner) {
  const auto found = std::ranges::find(places.source.records, owner, &Record::id);
  if (found == places.source.records.end()) return nullptr;
  const auto at = static_cast<std::size_t>(found - places.source.records.begin());
  return at < places.copy.records.size() ? &places.copy.records[at] : nullptr;
}

Result<Target> target_of(Unit& unit, const VariableCopy& places, const Id& id);

// Returns the key in the copy: an override of another service's built-in takes the key of the corresponding built-in.
// Sets `place` to sibling in that case, since that service may not have been copied yet.
Result<std::string> key_of_copy(Unit& unit, const VariableCopy& places, const VariableContent& content, Place& place) {
  if (content.type != VariableType::override_) return content.key;
  ORLOP_TRY(target, target_of(unit, places, content.target));
  if (target.place != Place::sibling) return content.key;
  place = Place::sibling;
  if (target.id.is_nil()) return content.key;
  ORLOP_TRY(named, require_variable(unit, target.id));
  return std::move(named.key);
}

Result<Target> target_of_record(Unit& unit, const VariableCopy& places, const Record& target) {
  const Record* owner = counterpart(places, target.parent);
  if (owner == nullptr) return Target{Place::gone, {}, {}};
  if (owner->id == target.parent) return Target{Place::own, target.id, {}};
  ORLOP_TRY(content, content_of(target));
  Place place = Place::own;
  ORLOP_TRY(key, key_of_copy(unit, places, content, place));
  ORLOP_TRY(copy, unit.find(variable_key(owner->id, key)));
  if (!copy && place == Place::own) place = Place::gone;
  return Target{place, copy.value_or(Id{}), {}};
}

Result<Target> target_of_built_in(Unit& unit, const VariableCopy& places, const Id& id) {
  const auto named = require_variable(unit, id);
  if (!named) return Target{Place::gone, {}, {}};
  const Family* family = find_family(named->owner.family);
  const bool is_of_service = family != nullptr && is_service(*family);
  // The kind is encoded in the bits in which the id differs from its owner's.
  const auto kind = static_cast<BuiltInKind>((id.bytes[0] ^ named->owner.id.bytes[0]) >> 4);
  if (const Record* owner = counterpart(places, named->owner.id)) {
    return Target{Place::own, built_in_id(owner->id, kind), is_of_service ? owner->id : Id{}};
  }
  if (!is_of_service) return Target{Place::gone, {}, {}};
  ORLOP_TRY(sibling, counterpart_of_service(unit, places, named->owner));
  return sibling ? Target{Place::sibling, built_in_id(*sibling, kind), *sibling} : Target{Place::sibling, {}, {}};
}

Result<Target> target_of(Unit& unit, const VariableCopy& places, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (record && record->family == variable_number) return target_of_record(unit, places, *record);
  return target_of_built_in(unit, places, id);
}

Record blank_copy(Unit& unit, const VariableCopy& places) {
  Record record;
  record.id = unit.make_id();
  record.family = variable_number;
  record.parent = places.copy.nearest().id;
  record.organization = places.copy.nearest().organization;
  return record;
}

void put_copy(Unit& unit, Record record, std::string_view key, std::vector<Id> references) {
  emit_about(unit, record, EventKind::created, 1, event_text_of(record));
  std::string name = variable_key(record.parent, key);
  unit.put(std::move(record), std::move(name), std::move(references));
}

// Reports whether the owner of the copy has the key already, which only copies in parts must check.
Result<bool> is_taken(Unit& unit, const VariableCopy& places, std::string_view key) {
  if (!places.is_in_parts) return false;
  ORLOP_TRY(holder, unit.find(variable_key(places.copy.nearest().id, key)));
  return holder.has_value();
}

Result<void> put_plain(Unit& unit, const VariableCopy& places, Record record, std::string_view key,
                       std::vector<Id> references) {
  ORLOP_TRY(taken, is_taken(unit, places, key));
  if (!taken) put_copy(unit, std::move(record), key, std::move(references));
  return {};
}

// Copies the stored text and replaces its beginning: the members before the key have a fixed length.
Result<void> copy_plain(Unit& unit, const VariableCopy& places, const Record& original) {
  Record record = blank_copy(unit, places);
  Writer head(original.body.size() + 16);
  head.begin_object().field("id", record.id).field("created_at", unit.now()).field("updated_at", unit.now());
  std::string body = std::move(head).take();
  constexpr std::string_view mark = ",\"key\":";
  if (std::string_view(original.body).substr(std::min(body.size(), original.body.size())).starts_with(mark)) {
    body.append(original.body, body.size());
    record.body = std::move(body);
    record.secrets = original.secrets;
  } else {
    ORLOP_TRY(content, content_of(original));
    content.id = record.id;
    content.created_at = unit.now();
    content.updated_at = unit.now();
    write_content(content, record);
  }
  const std::string raw_key(raw_member(record.body, "key"));
  std::vector<Id> references;
  if (const std::string_view access = raw_member(record.body, "secret_manager_access_id"); access.size() > 2) {
    if (const auto id = parse_id(access.substr(1, access.size() - 2))) references.push_back(*id);
  }
  if (raw_key.find('\\') == std::string::npos)
    return put_plain(unit, places, std::move(record), std::string_view(raw_key).substr(1, raw_key.size() - 2),
                     std::move(references));
  ORLOP_TRY(key, parse_stored(raw_key));
  return put_plain(unit, places, std::move(record), key.as_text(), std::move(references));
}

// Copies an alias or override. An override without its variable in the copy becomes a variable with its value; the key
// of an alias without its variable is added to `lost`.
Result<void> copy_link(Unit& unit, const VariableCopy& places, const Record& original, const Target& target,
                       std::vector<std::string>& lost) {
  ORLOP_TRY(content, content_of(original));
  const bool is_lost = target.id.is_nil();
  if (is_lost && content.type == VariableType::alias) {
    lost.push_back(std::move(content.key));
    return {};
  }
  Place place = Place::own;
  ORLOP_TRY(key, key_of_copy(unit, places, content, place));
  content.key = std::move(key);
  ORLOP_TRY(taken, is_taken(unit, places, content.key));
  if (taken) return {};
  if (is_lost) content.type = content.mount_path.empty() ? VariableType::value : VariableType::file;
  Record record = blank_copy(unit, places);
  content.id = record.id;
  content.created_at = unit.now();
  content.updated_at = unit.now();
  content.target = target.id;
  write_content(content, record);
  std::vector<Id> references;
  if (!is_lost) references.push_back(target.service.is_nil() ? target.id : target.service);
  put_copy(unit, std::move(record), content.key, std::move(references));
  return {};
}

struct Link {
  const Record* record;
  VariableType type;
};

// Overrides come first: an alias may name one.
Result<std::vector<Link>> links_among(const std::vector<Record>& variables) {
  std::vector<Link> links;
  for (const VariableType wanted : {VariableType::override_, VariableType::alias}) {
    for (const Record& variable : variables) {
      const auto end = end_of_text(variable.body);
      if (!end)
        return make_error(ErrorCode::storage_corrupt,
                          "the store holds a variable whose text the library did not write");
      if (end->type == wanted) links.push_back({&variable, end->type});
    }
  }
  return links;
}

Result<Id> target_id_of(const Record& link) {
  ORLOP_TRY(content, content_of(link));
  return content.target;
}

}  // namespace

Result<VariableCopy> variable_copy(Unit& unit, const Record& source, const Record& copy) {
  ORLOP_TRY(above_source, owners_of(unit, source));
  ORLOP_TRY(above_copy, owners_of(unit, copy));
  return VariableCopy{std::move(above_source), std::move(above_copy)};
}

Result<CopiedVariables> copy_variables(Unit& unit, const VariableCopy& places, const CopyRange& range) {
  const Id& owner = places.source.nearest().id;
  RecordRange wanted;
  wanted.key = owner;
  wanted.family = variable_number;
  wanted.after = range.after;
  wanted.limit = range.limit;
  ORLOP_TRY(variables, unit.records(wanted));
  CopiedVariables copied;
  for (const Record& variable : variables) {
    const auto end = end_of_text(variable.body);
    if (end && !is_link(end->type)) ORLOP_CHECK(copy_plain(unit, places, variable));
    copied.names_siblings = copied.names_siblings || may_name_resource(variable);
  }
  if (variables.size() >= range.limit) {
    copied.last = variables.back().id;
    return copied;
  }
  if (!range.after.is_nil()) {
    ORLOP_TRY(all, own_variables(unit, owner));
    variables = std::move(all);
  }
  ORLOP_TRY(links, links_among(variables));
  for (const Link& link : links) {
    ORLOP_TRY(id, target_id_of(*link.record));
    ORLOP_TRY(target, target_of(unit, places, id));
    if (target.place == Place::sibling) {
      copied.names_siblings = true;
      continue;
    }
    ORLOP_CHECK(copy_link(unit, places, *link.record, target, copied.lost));
  }
  return copied;
}

Result<std::vector<std::string>> copy_sibling_links(Unit& unit, const VariableCopy& places) {
  ORLOP_TRY(variables, own_variables(unit, places.source.nearest().id));
  ORLOP_TRY(links, links_among(variables));
  std::vector<std::string> lost;
  for (const Link& link : links) {
    ORLOP_TRY(id, target_id_of(*link.record));
    ORLOP_TRY(target, target_of(unit, places, id));
    if (target.place == Place::sibling) ORLOP_CHECK(copy_link(unit, places, *link.record, target, lost));
  }
  ORLOP_CHECK(rewrite_copied_texts(unit, places));
  return lost;
}

Result<std::optional<Id>> counterpart_of_service(Unit& unit, const VariableCopy& places, const Record& service) {
  const Record* environment = places.copy.environment();
  const Family* family = find_family(service.family);
  if (environment == nullptr || family == nullptr) return std::optional<Id>();
  if (service.parent == environment->id) return std::optional<Id>(service.id);
  return unit.find(name_key(*family, environment->id, environment->organization, name_of(service)));
}

}  // namespace orlop
