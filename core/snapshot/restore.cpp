#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/derived_id.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "base/user_number.h"
#include "check/check_feed.h"
#include "lifecycle/state.h"
#include "model/missing_secret.h"
#include "model/registry.h"
#include "snapshot/encrypted_secrets.h"
#include "snapshot/members/member_reader.h"
#include "snapshot/snapshot.h"
#include "snapshot/snapshot_members.h"
#include "store/partition.h"
#include "store/sealing/organization_keys.h"
#include "store/sealing/sealed_text.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Number of lines that one apply() writes to the store.
constexpr std::size_t batch_size = 1000;

Error refuse(std::size_t line, const std::string& reason) {
  return make_error(ErrorCode::invalid, "line " + std::to_string(line) + " of the snapshot: " + reason);
}

struct Header {
  std::int64_t version = 0;
  Instant taken_at;
  std::uint64_t records = 0;
  std::uint64_t machines = 0;
  std::uint64_t events = 0;
  std::uint64_t secrets_left_out = 0;
  std::string secrets_key;      // name of the key of the encrypted secrets; "": none
  bool has_simulation = false;  // a line {"simulation": …} follows
};

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

Result<Header> take_header(std::string_view& text) {
  const auto value = parse_stored(take_line(text));
  if (!value || !value->is_object() || value->find("orlop_snapshot") == nullptr)
    return refuse(1, "this is not a snapshot");
  Header header;
  MemberReader members(*value, {});
  members.number("orlop_snapshot", header.version);
  if (header.version != snapshot_version) {
    const Value& given = *value->find("orlop_snapshot");
    return refuse(
        1, "this library reads version " + std::to_string(snapshot_version) + ", not " + to_json(given).substr(0, 40));
  }
  members.instant("taken_at", header.taken_at);
  members.number("records", header.records);
  members.number("machines", header.machines);
  members.number("events", header.events);
  members.number("secrets_left_out", header.secrets_left_out);
  members.text("secrets_key", header.secrets_key);
  members.flag("simulation", header.has_simulation);
  if (!members.reason().empty()) return refuse(1, members.reason());
  return header;
}

// Checks that the machine's numbers are values of their enums.
void check(const Machine& machine, MemberReader& members) {
  const auto bound = [&](std::string_view name, int given, int most) {
    if (given > most) members.expect(name, "0 to " + std::to_string(most));
  };
  bound("state", machine.state, state_count_of(machine.family));
  bound("origin_state", machine.origin_state, state_count_of(machine.family));
  bound("action", machine.action, static_cast<int>(Action::upgrade));
  bound("freshness", machine.freshness, static_cast<int>(Freshness::up_to_date));
  bound("running", machine.running, static_cast<int>(RunningState::unknown));
  bound("configuration", static_cast<int>(machine.configuration), static_cast<int>(ConfigurationState::overtaken));
  bound("partition", machine.partition, static_cast<int>(partition_count) - 1);
  if (machine.revision == 0) members.expect("revision", "1 or more");
}

class Restorer {
 public:
  Restorer(Transaction& store, const Header& header, PlainSecrets plain, const SnapshotCipher* cipher)
      : store_(store), header_(header), plain_(plain), cipher_(cipher) {
    changes_.is_restore = true;
  }

  Result<void> restore(std::string_view lines) {
    while (!lines.empty()) {
      ++line_;
      ORLOP_CHECK(take(take_line(lines)));
      if (line_ % batch_size == 0) ORLOP_CHECK(apply());
    }
    ORLOP_CHECK(apply());
    if (header_.has_simulation && !has_simulation_)
      return refuse(line_, "it ends here without the line \"simulation\" that its header promises");
    if (families_.size() == header_.records && machines_ == header_.machines && events_ == header_.events) return {};
    return refuse(line_, "it ends here with " + std::to_string(families_.size()) + " records, " +
                             std::to_string(machines_) + " machines and " + std::to_string(events_) +
                             " events, and its header promises " + std::to_string(header_.records) + ", " +
                             std::to_string(header_.machines) + " and " + std::to_string(header_.events));
  }

  std::uint64_t missing() const { return missing_; }

 private:
  Result<void> take(std::string_view line) {
    const auto value = parse_stored(line);
    if (!value || !value->is_object() || value->members().size() != 1)
      return refuse(line_, "it is not a JSON object with one member");
    const Member& member = value->members().front();
    if (!member.value.is_object())
      return refuse(line_, "\"" + std::string(beginning(member.name.view(), 64)) + "\" must be an object");
    MemberReader members(member.value, raw_member(line, member.name));
    if (member.name == "record") return take_record(members);
    if (member.name == "machine") return take_machine(members);
    if (member.name == "event") return take_event(members);
    if (member.name == "simulation") {  // state of the simulation that took the snapshot
      has_simulation_ = true;
      return {};
    }
    return refuse(line_, "it must be a record, a machine or an event, not \"" +
                             std::string(beginning(member.name.view(), 64)) + "\"");
  }

  Result<void> take_record(MemberReader& members) {
    RecordWrite write;
    Record& record = write.record;
    visit_members(record, members);
    write.name_key.emplace();
    members.bytes("name_key", *write.name_key);
    write.references.emplace();
    members.ids("references", *write.references);
    members.text("secrets", record.secrets);
    std::string encrypted;
    std::string missing;
    members.text("encrypted_secrets", encrypted);
    members.json("missing_secrets", missing);
    members.json("body", record.body);
    if (record.id.is_nil()) members.expect("id", "there");
    if (record.family == 0) members.expect("family", "there");
    if (record.revision == 0) members.expect("revision", "1 or more");
    // Checked before decryption, which adds plain secrets.
    if (plain_ == PlainSecrets::left_out && !record.secrets.empty() && !is_sealed(record.secrets))
      members.expect("secrets", "sealed");
    if (!encrypted.empty() && !(cipher_ != nullptr && cipher_->decrypt(encrypted, record)))
      members.expect("encrypted_secrets", "as the snapshot was taken");
    if (!missing.empty()) take_missing(std::move(missing), record, members);
    if (!record.parent.is_nil() && !families_.contains(record.parent))
      members.expect("parent", "a record of a line before");
    if (!members.reason().empty()) return refuse(line_, "record." + members.reason());
    if (!families_.try_emplace(record.id, record.family).second)
      return refuse(line_, "the record " + to_text(record.id) + " was there before");
    // Ids of these families are derived, not made by the store.
    const bool has_own_id =
        record.family == sealing_number || record.family == user_number || has_derived_id(record.family);
    if (!has_own_id) id_count_ = std::max(id_count_, id_count_of(record.id));
    changes_.records.push_back(std::move(write));
    return {};
  }

  // "missing_secrets" may hold only marks without values, and only in a record without secrets.
  void take_missing(std::string&& missing, Record& record, MemberReader& members) {
    const auto outline = parse_stored(missing);
    if (!record.secrets.empty() || !outline || without_values(*outline) != *outline)
      return members.expect("missing_secrets", "where secrets were that are not there");
    record.secrets = std::move(missing);
    missing_ += count_missing(*outline);
  }

  Result<void> take_machine(MemberReader& members) {
    Machine machine;
    visit_members(machine, members);
    check(machine, members);
    const auto record = families_.find(machine.id);
    if (record == families_.end() || record->second != machine.family)
      members.expect("id", "that of a record of its family on a line before");
    if (!members.reason().empty()) return refuse(line_, "machine." + members.reason());
    ++machines_;
    changes_.machines.push_back(std::move(machine));
    return {};
  }

  Result<void> take_event(MemberReader& members) {
    Event event;
    visit_members(event, members);
    // earlier events were removed from the feed
    if (events_ == 0 && event.sequence != 0) first_event_ = event.sequence;
    if (event.sequence != first_event_ + events_) members.expect("sequence", std::to_string(first_event_ + events_));
    if (!members.reason().empty()) return refuse(line_, "event." + members.reason());
    // New ids must sort after the restored ones, also if the snapshot was written by hand.
    if (++events_ == header_.events) event.id_count = std::max(event.id_count, id_count_);
    changes_.events.push_back(std::move(event));
    return {};
  }

  // Records that the store refuses are a fault of the snapshot too.
  Result<void> apply() {
    const Result<void> applied = store_.apply(changes_);
    changes_.records.clear();
    changes_.machines.clear();
    changes_.events.clear();
    if (applied) return {};
    const ErrorCode code = applied.error().code;
    const bool is_refusal = code == ErrorCode::conflict || code == ErrorCode::lost_update || code == ErrorCode::misuse;
    return is_refusal ? refuse(line_, "up to here something is given twice: " + applied.error().message) : applied;
  }

  Transaction& store_;
  const Header& header_;
  PlainSecrets plain_;
  const SnapshotCipher* cipher_;
  std::uint64_t missing_ = 0;  // number of secrets that were left out
  bool has_simulation_ = false;
  Changes changes_;
  std::size_t line_ = 1;
  std::unordered_map<Id, FamilyNumber> families_;  // families of the records so far
  std::uint32_t id_count_ = 0;                     // greatest count in their ids
  std::uint64_t machines_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t first_event_ = 1;
};

Result<void> require_empty(Transaction& store) {
  ORLOP_TRY(end, store.feed_end());
  bool is_empty = end.sequence == 0;
  RecordRange roots;
  roots.limit = 1;
  roots.fields = RecordRange::Fields::no_text;
  ORLOP_CHECK(store.records(roots, [&](const Record&) { return is_empty = false; }));
  if (is_empty) return {};
  return make_error(ErrorCode::conflict,
                    "a snapshot is restored into an empty store only, and this one holds something");
}

}  // namespace

Result<Instant> taken_at(std::string_view snapshot) {
  ORLOP_TRY(header, take_header(snapshot));
  return header.taken_at;
}

Result<std::uint64_t> events_in(std::string_view snapshot) {
  ORLOP_TRY(header, take_header(snapshot));
  return header.events;
}

Result<void> require_empty(Store& store) {
  ORLOP_TRY(transaction, store.begin(Access::read));
  return require_empty(*transaction);
}

Result<const std::string*> key_of_snapshot(std::string_view snapshot, std::span<const std::string> keys) {
  ORLOP_TRY(header, take_header(snapshot));
  if (header.secrets_key.empty()) return static_cast<const std::string*>(nullptr);
  const auto found = std::ranges::find_if(
      keys, [&](const std::string& key) { return !key.empty() && name_of_key(key) == header.secrets_key; });
  if (found != keys.end()) return &*found;
  return make_error(ErrorCode::storage_sealed,
                    "the secrets of the snapshot are encrypted with a key that was not given: secrets_key must be the "
                    "one that it was taken with");
}

Result<std::uint64_t> restore_snapshot(Store& store, std::string_view snapshot, PlainSecrets plain,
                                       const SnapshotCipher* cipher,
                                       const std::function<Result<void>(Transaction&)>& check) {
  ORLOP_TRY(header, take_header(snapshot));
  ORLOP_TRY(transaction, store.begin(Access::write));
  ORLOP_CHECK(require_empty(*transaction));
  Restorer restorer(*transaction, header, plain, cipher);
  ORLOP_CHECK(restorer.restore(snapshot));
  if (check) ORLOP_CHECK(check(*transaction));
  ORLOP_CHECK(transaction->commit());
  return restorer.missing();
}

}  // namespace orlop
