#include "endpoints/imports/parts/counterparts.h"

#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "records/record_key.h"
#include "records/tree/removal.h"
#include "records/variables/secret_access.h"
#include "records/verbs.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::string_view accesses = "secret_manager_accesses";

// Returns the member `wanted` of the access whose member `name` is `value`; "" if none.
Result<std::string> in_access(const Record& cluster, std::string_view name, std::string_view value,
                              std::string_view wanted) {
  ORLOP_TRY(list, parse_stored_member(cluster.body, accesses));
  if (!list.is_list()) return std::string();
  for (const Value& access : list.items()) {
    if (access.text_or(name, "") == value) return std::string(access.text_or(wanted, ""));
  }
  return std::string();
}

std::string label_text(const Record& record, std::string_view name) {
  const Family* const family = find_family(record.family);
  return (family == nullptr ? "record" : words_for(*family)) + " \"" + std::string(name) + "\" (" + to_text(record.id) +
         ")";
}

}  // namespace

Result<std::optional<Id>> Counterparts::of(const Id& id) {
  if (const auto known = ids_.find(id)) return known;
  ORLOP_TRY(record, source_.record(id));
  ORLOP_TRY(found, record ? of_record(*record) : of_part(id));
  if (found) ids_.note(id, *found, record.has_value());
  return found;
}

Result<std::optional<Id>> Counterparts::of_record(const Record& record) {
  ORLOP_TRY(same, unit_.record(record.id));
  if (same && same->family == record.family && same->organization == organization_) return std::optional(same->id);
  if (record.parent.is_nil()) return std::optional<Id>();
  ORLOP_TRY(parent, of(record.parent));
  return parent ? by_name(record, *parent) : Result<std::optional<Id>>(std::nullopt);
}

Result<std::optional<Id>> Counterparts::by_name(const Record& record, const Id& parent) {
  const Family* const family = find_family(record.family);
  if (family == nullptr) return std::optional<Id>();
  ORLOP_TRY(value, parse_stored(record.body));
  Record here = record;
  here.parent = parent;
  here.organization = organization_;
  if (const auto key = key_of_record(*family, here, value)) return unit_.find(*key);
  // Without a unique name, a record is found if it is the only one with the name.
  const std::string name = name_of(record);
  RecordRange range;
  range.key = parent;
  range.family = record.family;
  ORLOP_TRY(candidates, unit_.records(range));
  std::erase_if(candidates, [&name](const Record& candidate) { return name_of(candidate) != name; });
  return candidates.size() == 1 ? std::optional(candidates.front().id) : std::optional<Id>();
}

Result<Shared<Record>> Counterparts::holder_of_part(const Id& id) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = id;
  range.family = find_family("cluster")->number;
  std::vector<Record> clusters;
  ORLOP_CHECK(source_.records(range, [&](const Record& record) { return clusters.push_back(record), true; }));
  for (Record& cluster : clusters) {
    ORLOP_TRY(name, in_access(cluster, "id", to_text(id), "name"));
    if (!name.empty()) return Shared<Record>(std::move(cluster));
  }
  return Shared<Record>();
}

Result<std::optional<Id>> Counterparts::of_part(const Id& id) {
  ORLOP_TRY(holder, holder_of_part(id));
  if (!holder) return std::optional(id);
  ORLOP_TRY(cluster_id, of(holder->id));
  ORLOP_TRY(cluster, cluster_id ? unit_.record(*cluster_id) : Result<Shared<Record>>(Shared<Record>()));
  if (!cluster) return std::optional<Id>();
  ORLOP_TRY(same, in_access(*cluster, "id", to_text(id), "id"));
  if (!same.empty()) return std::optional(id);
  ORLOP_TRY(name, in_access(*holder, "id", to_text(id), "name"));
  ORLOP_TRY(found, in_access(*cluster, "name", name, "id"));
  return parse_id(found);
}

Result<std::string> Counterparts::label(const Id& id) {
  ORLOP_TRY(record, source_.record(id));
  if (record && record->family == variable_number) {
    ORLOP_TRY(key, parse_stored_member(record->body, "key"));
    return label_text(*record, key.is_text() ? std::string_view(key.as_text()) : std::string_view());
  }
  if (record) return label_text(*record, name_of(*record));
  ORLOP_TRY(holder, holder_of_part(id));
  if (!holder) return "resource " + to_text(id);
  ORLOP_TRY(name, in_access(*holder, "id", to_text(id), "name"));
  return "secret manager access \"" + name + "\" (" + to_text(id) + ") of " + label_text(*holder, name_of(*holder));
}

}  // namespace orlop
