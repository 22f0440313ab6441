#include "releases/release_records.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/derived_id.h"
#include "base/family_number.h"
#include "base/text/secret_mask.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "releases/configuration_digest.h"
#include "releases/json_patch.h"
#include "unit/find_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const Family& list_family() {
  static const Family& family = *find_family(release_list_number);
  return family;
}

const Family& release_family() {
  static const Family& family = *find_family(release_number);
  return family;
}

// Returns the id of a record of the subject: of the list for 0, else of the release with this number.
Id id_of(const Id& subject, std::uint32_t number) {
  const Id list = derived_id(release_list_number, subject);
  return number == 0 ? list : derived_id(release_number, list, number);
}

// Reports whether a record has the id; a host may have chosen it for another one.
Result<bool> is_taken(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  return static_cast<bool>(record);
}

// Null if there is none, or if another record has that id.
Result<Shared<Record>> find_list(Unit& unit, const Id& subject) {
  ORLOP_TRY(list, unit.record(id_of(subject, 0)));
  const bool is_list = list && list->family == release_list_number && list->parent == subject;
  return is_list ? std::move(list) : Shared<Record>();
}

Result<Shared<Record>> find_release(Unit& unit, const Id& subject, std::uint32_t number) {
  ORLOP_TRY(release, unit.record(id_of(subject, number)));
  const bool is_release = release && release->family == release_number && release->parent == id_of(subject, 0);
  return is_release ? std::move(release) : Shared<Record>();
}

// Finds the texts of a configuration that hold a secret.
class SecretPlaces {
 public:
  explicit SecretPlaces(const std::vector<std::string>& values) : values_(values), mask_(values) {
    std::ranges::sort(values_);
  }

  Value in(const Value& configuration) {
    look(configuration, "");
    return std::move(found_);
  }

 private:
  void look(const Value& value, const std::string& pointer) {
    if (value.is_text() && holds_secret(value.as_text())) found_.append(Value(pointer));
    for (const Member& member : value.members()) look(member.value, pointer_below(pointer, member.name));
    for (std::size_t at = 0; at < value.items().size(); ++at)
      look(value.items()[at], pointer_below(pointer, std::to_string(at)));
  }
  // A short value counts only if it is the whole text: it occurs everywhere.
  bool holds_secret(const std::string& text) const {
    return !text.empty() && (std::ranges::binary_search(values_, text) || mask_.masked(text).has_value());
  }

  std::vector<std::string> values_;
  SecretMask mask_;
  Value found_ = Value::list();
};

Result<Value> contents_of(const StepConfiguration& given) {
  ORLOP_TRY(configuration, parse_stored(given.released));
  Value secrets = SecretPlaces(given.secrets).in(configuration);
  return Value(Value::Object{{"configuration", std::move(configuration)}, {"secrets", std::move(secrets)}});
}

// Returns the contents; null if they are not there.
Result<Value> stored_contents(const Record& release) {
  ORLOP_TRY(body, full_value(release));
  const Value* const contents = body.find("contents");
  if (contents == nullptr || !contents->is_text()) return Value();
  return parse_stored(contents->as_text());
}

struct NumberedRelease {
  std::uint32_t number = 0;
  Record record;
};

// Returns the releases below the list, the newest first.
Result<std::vector<NumberedRelease>> release_records(Unit& unit, const Id& list) {
  RecordRange range;
  range.key = list;
  range.family = release_number;
  ORLOP_TRY(records, unit.records(range));
  std::vector<NumberedRelease> releases;
  releases.reserve(records.size());
  for (Record& record : records) {
    ORLOP_TRY(body, unit.value_of(record));
    releases.push_back({static_cast<std::uint32_t>(body->integer_or("number", 0)), std::move(record)});
  }
  std::ranges::sort(releases, std::greater(), &NumberedRelease::number);
  return releases;
}

// Replaces the contents of what was the newest release by their difference to those of the new one.
Result<void> store_difference(Unit& unit, const Id& subject, std::uint32_t newest, const Value& contents) {
  if (contents.is_null()) return {};
  ORLOP_TRY(record, find_release(unit, subject, newest));
  ORLOP_TRY(before, record ? stored_contents(*record) : Result<Value>(Value()));
  if (before.is_null()) return {};
  ORLOP_TRY(body, full_value(*record));
  body.set("contents", Value(to_json(Value(Value::Object{{"patch", patch_between(contents, before)}}))));
  ORLOP_TRY(edited, edit_record(unit, release_family(), std::move(record).take(), body));
  (void)edited;
  return {};
}

// Erases the releases up to this number: usually one.
Result<void> erase_up_to(Unit& unit, const Id& subject, std::int64_t last) {
  for (std::int64_t number = last; number > 0; --number) {
    ORLOP_TRY(release, find_release(unit, subject, static_cast<std::uint32_t>(number)));
    if (!release) return {};
    unit.erase(release->id);
  }
  return {};
}

Result<void> set_runs(Unit& unit, const Id& subject, bool runs) {
  ORLOP_TRY(list, find_list(unit, subject));
  ORLOP_TRY(body, parse_stored(list->body));
  body.set("runs", Value(runs));
  ORLOP_TRY(edited, edit_record(unit, list_family(), std::move(list).take(), body));
  (void)edited;
  return {};
}

ReleasedConfiguration configuration_in(const Value& contents) {
  ReleasedConfiguration found;
  if (const Value* const configuration = contents.find("configuration")) found.configuration = *configuration;
  if (const Value* const secrets = contents.find("secrets")) {
    for (const Value& pointer : secrets->items()) found.secrets.push_back(pointer.as_text());
  }
  return found;
}

Release release_in(const Value& body) {
  Release release;
  release.number = static_cast<std::uint32_t>(body.integer_or("number", 0));
  release.deployed_at = parse_instant(body.text_or("deployed_at", "")).value_or(Instant{});
  release.request = parse_id(body.text_or("request_id", "")).value_or(Id{});
  release.triggered_by = body.text_or("triggered_by", "");
  release.digest = body.text_or("digest", "");
  release.rollback_of = static_cast<std::uint32_t>(body.integer_or("rollback_of", 0));
  if (const Value* const version = body.find("version")) release.version = *version;
  return release;
}

}  // namespace

Error no_release(const Id& subject, std::int64_t number) {
  return make_error(ErrorCode::not_found, "there is no release " + std::to_string(number) + " of " + to_text(subject) +
                                              ": it was not made, or is older than the releases that are kept");
}

Result<StepConfiguration> released_configuration(const std::string& configuration, std::vector<std::string> secrets) {
  ORLOP_TRY(parsed, parse_stored(configuration));
  const Value released = released_part(std::move(parsed));
  return StepConfiguration{.digest = digest_of(released), .released = to_json(released), .secrets = std::move(secrets)};
}

Result<ReleasedConfiguration> with_secret_places(const StepConfiguration& given) {
  ORLOP_TRY(contents, contents_of(given));
  return configuration_in(contents);
}

void add_release_lists(std::span<const Id> subjects, std::vector<Id>& ids) {
  for (const Id& subject : subjects) ids.push_back(id_of(subject, 0));
}

Result<void> add_newest_releases(Unit& unit, std::span<const Id> subjects, std::vector<Id>& ids) {
  const std::int64_t kept = std::max<std::int64_t>(unit.settings().releases_kept.value_or(0), 1);
  for (const Id& subject : subjects) {
    ORLOP_TRY(newest, newest_release(unit, subject));
    const std::int64_t next = std::int64_t{newest.number} + 1;
    // The new one, the one before it, the one that is erased, and the end of those that are erased.
    for (const std::int64_t number : {next, next - 1, next - kept, next - kept - 1}) {
      if (number > 0) ids.push_back(id_of(subject, static_cast<std::uint32_t>(number)));
    }
  }
  return {};
}

Result<NewestRelease> newest_release(Unit& unit, const Id& subject) {
  ORLOP_TRY(list, find_list(unit, subject));
  if (!list) return NewestRelease{};
  ORLOP_TRY(body, unit.value_of(*list));
  return NewestRelease{static_cast<std::uint32_t>(body->integer_or("number", 0)),
                       std::string(body->text_or("digest", "")), body->boolean_or("runs", false)};
}

Result<void> end_release(Unit& unit, const Id& subject) {
  ORLOP_TRY(newest, newest_release(unit, subject));
  return newest.runs ? set_runs(unit, subject, false) : Result<void>();
}

Result<void> confirm_release(Unit& unit, const Id& subject, std::string_view digest) {
  ORLOP_TRY(newest, newest_release(unit, subject));
  return !newest.runs && !digest.empty() && newest.digest == digest ? set_runs(unit, subject, true) : Result<void>();
}

Result<void> store_release(Unit& unit, const Id& subject, const NewRelease& release, const StepConfiguration* given) {
  ORLOP_TRY(list, find_list(unit, subject));
  ORLOP_TRY(contents, given == nullptr ? Result<Value>(Value()) : contents_of(*given));
  std::int64_t number = 1;
  Value head = Value::object();
  if (list) {
    ORLOP_TRY(body, unit.value_of(*list));
    number = body->integer_or("number", 0) + 1;
    const auto newest = static_cast<std::uint32_t>(number - 1);
    ORLOP_CHECK(store_difference(unit, subject, newest, contents));
    const std::int64_t kept = std::max<std::int64_t>(unit.settings().releases_kept.value_or(0), 1);
    ORLOP_CHECK(erase_up_to(unit, subject, number - kept));
  }
  head.set("number", Value(number));
  head.set("runs", Value(true));
  if (given != nullptr) head.set("digest", Value(given->digest));
  if (list) {
    ORLOP_TRY(edited, edit_record(unit, list_family(), std::move(list).take(), head));
    (void)edited;
  } else {
    ORLOP_TRY(has_no_id, is_taken(unit, id_of(subject, 0)));
    if (has_no_id) return {};
    ORLOP_TRY(created, create_record(unit, list_family(), subject, head, id_of(subject, 0)));
    (void)created;
  }
  const Id id = id_of(subject, static_cast<std::uint32_t>(number));
  ORLOP_TRY(has_no_id, is_taken(unit, id));
  if (has_no_id) return {};
  Value body = std::move(head);
  body.erase("runs");
  body.set("deployed_at", Value(to_text(unit.now())));
  body.set("request_id", Value(to_text(release.request)));
  if (!release.triggered_by.empty()) body.set("triggered_by", Value(release.triggered_by));
  if (given != nullptr && given->rollback_of != 0) body.set("rollback_of", Value(std::int64_t{given->rollback_of}));
  body.set("version", release.version);
  if (!contents.is_null()) body.set("contents", Value(to_json(contents)));
  ORLOP_TRY(created, create_record(unit, release_family(), id_of(subject, 0), body, id));
  (void)created;
  return {};
}

Result<std::vector<Release>> releases_of(Unit& unit, const Id& subject) {
  std::vector<Release> releases;
  ORLOP_TRY(list, find_list(unit, subject));
  if (!list) return releases;
  ORLOP_TRY(records, release_records(unit, list->id));
  for (const NumberedRelease& stored : records) {
    ORLOP_TRY(body, unit.value_of(stored.record));
    releases.push_back(release_in(*body));
  }
  return releases;
}

// From the newest release back: each contents follow from those of the next newer one.
Result<ReleasedConfiguration> configuration_of_release(Unit& unit, const Id& subject, std::uint32_t number) {
  ORLOP_TRY(list, find_list(unit, subject));
  if (!list) return no_release(subject, number);
  ORLOP_TRY(records, release_records(unit, list->id));
  Value contents;
  for (const NumberedRelease& release : records) {
    ORLOP_TRY(stored, stored_contents(release.record));
    const Value* const patch = stored.find("patch");
    if (patch == nullptr) contents = std::move(stored);
    else if (!contents.is_null()) ORLOP_CHECK(apply_patch(contents, *patch));
    if (release.number != number) continue;
    if (contents.find("configuration") == nullptr)
      return make_error(ErrorCode::conflict,
                        "the configuration of release " + std::to_string(number) + " of " + to_text(subject) +
                            " is not stored: its driver read none, or a snapshot left its secrets out");
    return configuration_in(contents);
  }
  return no_release(subject, number);
}

}  // namespace orlop
