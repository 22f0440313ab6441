#include "check/check_records.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "model/check_value.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "model/stored.h"
#include "model/validate.h"
#include "records/record_key.h"
#include "records/record_value.h"
#include "store/walk.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/read_plain.h"

namespace orlop {
namespace {

constexpr std::size_t digest_size = 64;  // hexadecimal digits

// Reports whether all references follow from the record's text; variables and members have more.
bool has_references_of_text(const Family& family) {
  return family.number != variable_number && family.number != member_number;
}

bool is_of(const CheckedRecord& record, std::string_view family_name) {
  const Family* const family = find_family(record.family);
  return family != nullptr && (family->name == family_name || (family_name == "service" && is_service(*family)));
}

class RecordChecker {
 public:
  RecordChecker(Unit& unit, FaultList& faults) : unit_(unit), faults_(faults) {}

  Result<CheckedRecords> check_all() {
    ORLOP_TRY(end, unit_.stored().feed_end());
    last_event_ = end.at;
    ORLOP_CHECK(for_each_record(unit_.stored(), [&](const Record& record) { return check(record); }));
    for (const Open& open : open_) find_target(open);
    return std::move(records_);
  }

 private:
  // Reference to a record that the walk has not reached yet.
  struct Open {
    Id source;
    FamilyNumber source_family = 0;
    Id organization;
    std::string_view field;
    std::string_view family;
    Id target;
  };

  void add(const Record& record, std::string fault, std::string_view what_to_do = advice::edit) {
    faults_.add(record.family, record.id, std::move(fault), what_to_do);
  }

  Result<void> check(const Record& record) {
    if (record.family == sealing_number) return {};  // a record of the store itself
    check_place(record);
    records_.insert_or_assign(record.id, CheckedRecord{record.family, record.organization, record.revision});
    if (record.revision == 0) add(record, "has the revision 0, and a record has 1 or more", advice::backup);
    const Family* const family = find_family(record.family);
    if (family == nullptr && record.family >= first_own_number) return {};  // an internal record without fields
    if (family == nullptr)
      return add(record, "is of a family that this library does not have", advice::backup), Result<void>();
    const auto value = full_value(record);
    if (!record.secrets.empty() && !is_stored_object(record.secrets))
      return add(record, "has secrets that are not a JSON object", advice::backup), Result<void>();
    if (!value || !value->is_object())
      return add(record, "has a text that is not a JSON object", advice::backup), Result<void>();
    check_text(*family, record, *value);
    return check_links(*family, record, *value);
  }

  // The walk visits a parent before its children.
  void check_place(const Record& record) {
    const Family* const family = find_family(record.family);
    if (record.parent.is_nil()) {
      if (family != nullptr && !is_root(*family)) add(record, "has no parent", advice::backup);
      return;
    }
    const auto parent = records_.find(record.parent);
    if (parent == records_.end()) return;
    const Family* const above = find_family(parent->second.family);
    if (family != nullptr && above != nullptr && !may_be_parent(*above, *family)) {
      add(record,
          "lies below the " + std::string(above->name) + " " + to_text(record.parent) +
              ", whose family cannot be its parent",
          advice::backup);
    }
    if (record.organization != parent->second.organization) {
      add(record,
          "is of the organization " + to_text(record.organization) + ", and its parent of " +
              to_text(parent->second.organization),
          advice::backup);
    }
  }

  // Other records have no id and times in their texts, or those of another record.
  static bool has_base_members(const Family& family) {
    return !family.is_internal && family.number != member_number && family.path != PathForm::single;
  }

  void check_text(const Family& family, const Record& record, const Value& value) {
    if (has_base_members(family) && value.text_or("id", "") != to_text(record.id)) {
      add(record, "has the id " + quoted_text(value.text_or("id", "")) + " in its text", advice::backup);
    }
    if (has_base_members(family)) check_times(record, value);
    Violations violations;
    std::vector<StoredReference> references;
    check_stored(family.fields, value, violations, references);
    const std::vector<std::string> missing = check_secrets(record);
    for (Violation& violation : violations) {
      if (std::ranges::find(missing, violation.field) != missing.end()) continue;
      add(record, "has a faulty text: " + violation.field + " " + violation.reason);
    }
    for (const StoredReference& reference : references) {
      const Open open{
          record.id,       record.family, record.organization, reference.field->name, reference.field->refers_to,
          reference.target};
      records_.contains(reference.target) ? find_target(open) : open_.push_back(open);
    }
    const std::string_view digest =
        family.number == token_digest_number ? value.text_or("sha256", "") : std::string_view();
    if (family.number == token_digest_number &&
        (digest.size() != digest_size || digest.find_first_not_of("0123456789abcdef") != std::string_view::npos)) {
      add(record, "holds no SHA-256 digest, so that its token authenticates no caller");
    }
  }

  // Returns the paths of the secrets that a snapshot has left out.
  std::vector<std::string> check_secrets(const Record& record) {
    std::vector<std::string> missing;
    if (record.secrets.find(missing_secret_text) == std::string::npos) return missing;
    std::string names;
    visit_missing(*parse_stored(record.secrets), [&](const std::string& path) {
      missing.push_back(path);
      names.append(names.empty() ? "" : ", ").append(path);
    });
    add(record, "lacks its secret " + names + ": a snapshot that is taken without a key holds no secrets",
        advice::secret);
    return missing;
  }

  // No record is newer than the last event, since every change has one.
  void check_times(const Record& record, const Value& value) {
    const auto created = parse_instant(value.text_or("created_at", ""));
    const auto updated = parse_instant(value.text_or("updated_at", ""));
    if (!created)
      return add(record, "has no time of its creation: created_at is " + quoted_text(value.text_or("created_at", "")));
    if (!updated)
      return add(record,
                 "has no time of its last change: updated_at is " + quoted_text(value.text_or("updated_at", "")));
    if (*created > *updated) add(record, "has a created_at after its updated_at");
    if (*updated > last_event_) add(record, "was changed after the last event of the feed", advice::backup);
  }

  Result<void> check_links(const Family& family, const Record& record, const Value& value) {
    ORLOP_TRY(links, unit_.stored().links(record.id));
    if (const auto key = key_of_record(family, record, value); key && *key != links.name_key) {
      ORLOP_TRY(holder, unit_.stored().find(*key));
      if (holder && *holder != record.id)
        add(record, "has the same name as " + to_text(*holder) + ", and names are unique here");
      else add(record, "is not found by its name");
    }
    if (!links.name_key.empty()) {
      ORLOP_TRY(found, unit_.stored().find(links.name_key));
      if (!found || *found != record.id) add(record, "is not found by its name");
    }
    if (has_references_of_text(family) && links.references != references_of(family.fields, value)) {
      add(record, "is not found by what it refers to", advice::edit);
    }
    return {};
  }

  void find_target(const Open& open) {
    const auto target = records_.find(open.target);
    std::string fault;
    if (target == records_.end()) fault = "refers to nothing";
    else if (!is_of(target->second, open.family))
      fault = "refers to a " + family_text(target->second.family) + ", not to a " + std::string(open.family);
    else if (target->second.organization != open.organization) fault = "refers to a resource of another organization";
    if (!fault.empty())
      faults_.add(open.source_family, open.source,
                  fault + ": its " + std::string(open.field) + " is " + to_text(open.target), advice::edit);
  }

  Unit& unit_;
  FaultList& faults_;
  Instant last_event_;
  CheckedRecords records_;
  std::vector<Open> open_;
};

}  // namespace

Result<CheckedRecords> check_records(Unit& unit, FaultList& faults) { return RecordChecker(unit, faults).check_all(); }

}  // namespace orlop
