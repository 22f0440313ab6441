#include "check/check_feed.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lifecycle/state.h"
#include "model/registry.h"
#include "wire/read_plain.h"

namespace orlop {
namespace {

// Order-independent checksum over sequence numbers of events: equal for equal sets of events.
struct EventSum {
  std::uint64_t count = 0;
  std::uint64_t mixed = 0;

  void add(std::uint64_t sequence) {
    ++count;
    mixed += (sequence ^ sequence >> 31) * 0x9E3779B97F4A7C15U;
  }
  friend bool operator==(const EventSum&, const EventSum&) = default;
};

using EventSums = std::unordered_map<Id, EventSum>;

constexpr int kind_max = static_cast<int>(EventKind::freshness_changed);
constexpr int no_bound = 255;

// Greatest number that `from` and `to` of this event may have.
int state_max(const Event& event) {
  switch (event.kind) {
    case EventKind::state_changed: return state_count_of(event.family);
    case EventKind::request_ended: return state_count<ServiceState>;
    case EventKind::running_changed: return static_cast<int>(RunningState::unknown);
    case EventKind::freshness_changed: return static_cast<int>(Freshness::up_to_date);
    case EventKind::created:
    case EventKind::edited:
    case EventKind::deleted:
    case EventKind::request_queued:
    case EventKind::request_started:
    case EventKind::step_started:
    case EventKind::step_ended:
    case EventKind::progress:
    case EventKind::log_line: return no_bound;
  }
  return 0;
}

class FeedChecker {
 public:
  FeedChecker(Unit& unit, const CheckedRecords& records, const std::unordered_set<Id>& steps, bool records_events,
              FaultList& faults)
      : store_(unit.stored()), records_(records), steps_(steps), records_events_(records_events), faults_(faults) {}

  Result<CheckedFeed> check_all() {
    ORLOP_CHECK(store_.events({}, [this](const Event& event) {
      check(event);
      return !faults_.is_full();
    }));
    check_organizations();
    ORLOP_CHECK(check_end());
    check_created();
    ORLOP_CHECK(check_reached());
    ORLOP_CHECK(compare(organizations_, &EventRange::organization, "organization"));
    ORLOP_CHECK(compare(requests_, &EventRange::request, "deployment request"));
    ORLOP_CHECK(compare(subjects_, &EventRange::subject, "resource"));
    for (const auto& [subject, sum] : subjects_) feed_.subjects.insert(subject);
    return std::move(feed_);
  }

 private:
  void add(std::uint64_t sequence, std::string fault, std::string_view what_to_do = advice::forget) {
    faults_.add("event", std::to_string(sequence), std::move(fault), what_to_do);
  }

  void check(const Event& event) {
    if (last_.sequence == 0) feed_.is_whole = event.sequence == 1;
    else if (event.sequence != last_.sequence + 1)
      add(event.sequence,
          "comes behind the event " + std::to_string(last_.sequence) + ", and those between them are gone");
    if (last_.sequence != 0 && event.at < last_.at)
      add(event.sequence, "has a time before that of the event in front of it");
    check_content(event);
    check_organization(event);
    note(event);
    if (event.id_count != 0) greatest_id_count_ = std::max(greatest_id_count_, event.id_count);
    last_ = {event.sequence, event.at, event.id_count};
  }

  void check_content(const Event& event) {
    const int kind = static_cast<int>(event.kind);
    if (kind < 1 || kind > kind_max)
      return add(event.sequence, "is of the kind " + std::to_string(kind) + ", which does not exist");
    if (find_family(event.family) == nullptr)
      add(event.sequence,
          "is about a resource of the family " + std::to_string(event.family) + ", which does not exist");
    if (event.subject.is_nil()) add(event.sequence, "is about no resource");
    const int most = state_max(event);
    if (event.from > most || event.to > most) add(event.sequence, "names a state with an unknown number");
    if (!event.detail.empty() && !is_stored_object(event.detail.text()))
      add(event.sequence, "has a detail that is not a JSON object");
    const auto record = records_.find(event.subject);
    if (record == records_.end()) return;
    if (record->second.family != event.family)
      add(event.sequence, "is about the " + family_text(event.family) + " " + to_text(event.subject) + ", which is a " +
                              family_text(record->second.family));
    const bool is_of_record = event.kind == EventKind::created || event.kind == EventKind::edited;
    if (is_of_record && event.revision > record->second.revision) {
      add(event.sequence, "names the revision " + std::to_string(event.revision) + " of " + to_text(event.subject) +
                              ", which has " + std::to_string(record->second.revision));
    }
  }

  // An event belongs to the organization of its subject. If the subject is gone, all its events must have one
  // organization.
  void check_organization(const Event& event) {
    if (machine_kind(event.family) == MachineKind::none && event.subject == event.organization)
      known_organizations_.insert(event.organization);
    const auto record = records_.find(event.subject);
    const auto before = first_organization_.try_emplace(event.subject, event.organization).first;
    const Id& expected = record == records_.end() ? before->second : record->second.organization;
    if (event.organization != expected)
      add(event.sequence,
          "is of the organization " + to_text(event.organization) + ", and its subject of " + to_text(expected));
    else if (!event.organization.is_nil() && !records_.contains(event.organization))
      gone_organizations_.try_emplace(event.organization, event.sequence);
  }

  // The organization of an event exists, or the feed holds its deletion.
  void check_organizations() {
    for (const auto& [organization, sequence] : gone_organizations_) {
      if (!known_organizations_.contains(organization))
        add(sequence, "is of the organization " + to_text(organization) + ", which was never there");
    }
  }

  void note(const Event& event) {
    if (!event.author.empty() && !event.organization.is_nil()) organizations_[event.organization].add(event.sequence);
    if (!event.request.is_nil()) requests_[event.request].add(event.sequence);
    if (!event.subject.is_nil()) subjects_[event.subject].add(event.sequence);
    if (steps_.empty()) return;
    if (const auto step = event.detail.step(); step && steps_.contains(step->id)) feed_.started_steps.insert(step->id);
  }

  // The last event of a commit states how many ids have been given.
  Result<void> check_end() {
    ORLOP_TRY(end, store_.feed_end());
    if (end.sequence != last_.sequence) {
      if (!faults_.is_full())
        add(last_.sequence, "is the last one, and the store says that this is " + std::to_string(end.sequence),
            advice::backup);
    } else if (last_.id_count == 0 && greatest_id_count_ != 0) {
      add(last_.sequence, "is the last one, and not the last one of its commit: the end of the feed is gone",
          advice::backup);
    } else if (last_.id_count < greatest_id_count_) {
      add(last_.sequence,
          "says that " + std::to_string(last_.id_count) + " ids were given, and an event before it " +
              std::to_string(greatest_id_count_),
          advice::backup);
    }
    return {};
  }

  // Resources without any event mean that the feed is lost. A simulation that does not record events keeps one event of
  // each commit in a file, and none in memory.
  void check_created() {
    if (last_.sequence != 0 || !records_events_) return;
    for (const auto& [id, record] : records_) {
      const Family* const family = find_family(record.family);
      const bool has_events = family != nullptr && !family->is_internal && family->has_events;
      if (has_events) faults_.add(record.family, id, "has no event of its creation in the feed", advice::backup);
    }
  }

  // Finds records that the walk over the tree has not met and that are subjects of events.
  Result<void> check_reached() {
    for (const auto& [subject, sum] : subjects_) {
      if (records_.contains(subject) || faults_.is_full()) continue;
      ORLOP_TRY(record, store_.record(subject));
      if (record)
        faults_.add(record->family, subject,
                    "lies below no organization: its parent " + to_text(record->parent) + " is gone, or lies below it",
                    advice::backup);
    }
    return {};
  }

  // Compares the events that the store finds by a key with those that have the key.
  Result<void> compare(const EventSums& sums, Id EventRange::*key, std::string_view what) {
    for (const auto& [id, sum] : sums) {
      if (faults_.is_full()) return {};
      EventRange range;
      range.*key = id;
      EventSum found;
      ORLOP_CHECK(store_.events(range, [&found](const Event& event) { return found.add(event.sequence), true; }));
      if (found == sum) continue;
      faults_.add("event", "",
                  "are not all found by the " + std::string(what) + " " + to_text(id) + ": " +
                      std::to_string(found.count) + " in place of " + std::to_string(sum.count),
                  advice::rebuild);
    }
    return {};
  }

  Transaction& store_;
  const CheckedRecords& records_;
  const std::unordered_set<Id>& steps_;
  const bool records_events_;
  FaultList& faults_;
  CheckedFeed feed_;
  FeedEnd last_;
  std::uint32_t greatest_id_count_ = 0;
  EventSums organizations_;
  EventSums requests_;
  EventSums subjects_;
  std::unordered_map<Id, Id> first_organization_;  // by subject
  std::unordered_set<Id> known_organizations_;
  std::unordered_map<Id, std::uint64_t> gone_organizations_;  // with the first event of each
};

}  // namespace

int state_count_of(FamilyNumber family) {
  switch (machine_kind(family)) {
    case MachineKind::cluster: return state_count<ClusterState>;
    case MachineKind::task: return state_count<TaskState>;
    case MachineKind::none:
    case MachineKind::service:
    case MachineKind::environment:
    case MachineKind::schedule: return state_count<ServiceState>;
  }
  return state_count<ServiceState>;
}

Result<CheckedFeed> check_feed(Unit& unit, const CheckedRecords& records, const std::unordered_set<Id>& steps,
                               bool records_events, FaultList& faults) {
  return FeedChecker(unit, records, steps, records_events, faults).check_all();
}

}  // namespace orlop
