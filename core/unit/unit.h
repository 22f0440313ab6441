// A unit of work: one request or one tick. It reads the store with its own changes on top and collects every change.
// Nothing is written until commit.h applies the unit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/id.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "model/value.h"
#include "store/store.h"

namespace orlop {

class AgreedTime;
struct Expiry;
class Unit;
struct Family;

// Work that goes on in commits of its own (records/bulk_jobs/job_parts.h), as its machine names it.
struct Job {
  Id id;
  std::uint8_t partition = 0;  // of its machine
  bool is_elsewhere = false;   // another engine does it
};

enum class Question : std::uint16_t;  // external_systems/question.h

// What a tick asks of external systems about the record of a schedule, once its unit is committed.
struct ScheduledQuestion {
  Id subject;
  Question question;
  Value input = Value::object();
};

// What the layers above ops do when a record has come or changed: its machine, its stages, its freshness.
struct Hooks {
  // `plan_flags`: the bits of PlanFlag that follow from the record.
  Result<void> (*created)(Unit& unit, const Family& family, const Record& record, std::uint32_t plan_flags) = nullptr;
  Result<void> (*edited)(Unit& unit, const Id& subject) = nullptr;  // of a service or cluster that an edit has reached
  // The same of a service whose row is at hand.
  Result<void> (*reached)(Unit& unit, const Id& organization, Machine machine) = nullptr;
  // Before the unit is applied: what follows from its events; it must not emit any.
  Result<void> (*finishing)(Unit& unit) = nullptr;
  // This schedule (MachineKind::schedule) is new or was edited, its deadline has passed, or the clock was put back:
  // then a deadline that a clock ahead has set does not count. Answers when it is due next, by Unit::clock_time();
  // nothing: once its question (Unit::ask) is answered, or it is edited. A machine that is put keeps the instant beyond
  // the end of the process; without, the schedule is due when an engine takes it up.
  Result<std::optional<Instant>> (*due)(Unit& unit, Machine schedule) = nullptr;
  // What the question of this schedule was answered. Answers the same.
  Result<std::optional<Instant>> (*answered)(Unit& unit, Machine schedule, const Result<Value>& answer) = nullptr;
  // Whether the organization may have so many more records of the family: what `created` would refuse of one of them,
  // but for the number in the message.
  Result<void> (*room)(Unit& unit, const Family& family, const Id& organization, std::int64_t more) = nullptr;
};

inline constexpr Hooks no_hooks;

// The memory of a unit that is over, for the next one: most units change about as much as the one before.
struct UnitMemory {
  std::vector<Machine> machines;
  std::vector<Event> events;
  FlatMap<Id, std::size_t> machine_places;
};

class Unit {
 public:
  // `hooks` outlive the unit. `end`: the feed's, whose number is the transaction's for the random source; one that only
  // reads has none.
  Unit(Transaction& store, RandomSource& random_source, const FeedEnd& end, Instant now, const Settings& settings,
       const Hooks& hooks = no_hooks)
      : store_(store),
        ids_(random_source, end.sequence, end.id_count, now),
        now_(now),
        settings_(settings),
        hooks_(hooks),
        clock_time_(now) {}
  Unit(const Unit&) = delete;
  // One that is never applied, to see what an operation would answer; it reads what is stored, not what `other` has
  // put.
  struct Trial {};
  Unit(Trial, const Unit& other)
      : store_(other.store_),
        ids_(other.ids_),
        now_(other.now_),
        settings_(other.settings_),
        hooks_(other.hooks_),
        author_(other.author_),
        clock_time_(other.clock_time_),
        agreed_time_(other.agreed_time_) {}
  Unit& operator=(const Unit&) = delete;

  // The time of what the unit stores, which never goes back: now() of a clock that was put back goes on from the last
  // event.
  Instant now() const { return now_; }
  // What the clock says, by which schedules are due; now() where nothing else is set.
  Instant clock_time() const { return clock_time_; }
  void set_clock_time(Instant time) { clock_time_ = time; }
  // By which lifetimes pass (unit/agreed_time.h); now() where nothing else is set. Errors: those of the store.
  Result<Instant> agreed_time();
  Result<Expiry> expiry();
  void use_agreed_time(AgreedTime* time) { agreed_time_ = time; }
  const Settings& settings() const { return settings_; }
  const Hooks& hooks() const { return hooks_; }
  Id make_id() { return ids_.make(); }
  std::uint64_t draw() { return ids_.draw(); }

  // Who caused this work: the author of every event that names none itself. "": a tick.
  void set_author(std::string_view author) { author_ = author; }
  std::string_view author() const { return author_; }

  // Reads: what is stored, with this unit's own changes on top.
  // As a store's, a row stays as it was read for as long as it is held. Empty: there is none.
  Result<Shared<Record>> record(const Id& id);
  Result<Shared<Machine>> machine(const Id& id);
  // The public text of a record that was read from this unit, as a value: parsed once, until the unit changes the
  // record.
  Result<std::shared_ptr<const Value>> value_of(const Record& record);
  Result<std::optional<Id>> find(std::string_view name_key) { return find(name_key, Expected::any); }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected);
  Result<std::vector<Record>> records(const RecordRange& range);  // ascending id
  // The same without copies, of a range with a limit perhaps more than that, those that this unit has put last. As in
  // the store, a visitor must not ask the unit.
  Result<void> visit(const RecordRange& range, const RecordVisitor& visit);
  Result<std::vector<Machine>> machines(const Id& owner, FamilyNumber family = 0);  // ascending id
  // Those of these ids that are there, ascending by id, in one call of the store. Each id is given once.
  Result<std::vector<Machine>> machines_of(std::span<const Id> ids);
  // Before so many machines are put, each with an event: so that what is put is not moved while it comes.
  void expect_machines(std::size_t count) {
    changes_.machines.reserve(changes_.machines.size() + count);
    changes_.events.reserve(changes_.events.size() + count);
    machine_places_.make_room(count);
  }
  // Whether this unit has put the machine.
  bool has_put_machine(const Id& id) const { return machine_places_.contains(id); }
  // The same without copies, those that this unit has made last. As in the store, a visitor must not ask the unit.
  Result<void> visit_machines(const Id& owner, FamilyNumber family, const std::function<void(const Machine&)>& visit);
  // Of each machine of the owner only id, family, state, freshness and plan_flags, in any order: for what counts many.
  // As in the store, a visitor must not ask the unit.
  Result<void> visit_states(const Id& owner, const std::function<void(const Machine&)>& visit);
  Result<std::vector<RecordCount>> counts(const CountRange& range);
  // Reads these records and machines, or what lies directly below them, in one call of the store, so that later reads
  // in this unit need none. Ids may be given twice. Does nothing where single reads cost no more.
  Result<void> load(std::span<const Id> ids);
  Result<void> load_children(std::span<const Id> parents);
  // The store as it is, without this unit's changes: for feeds, history and large ranges.
  Transaction& stored() { return store_; }

  // A text that was made from records, under an id of the caller's choice: what many steps of one unit have in common.
  // Forgotten when a record is put or erased. nullptr: there is none.
  std::shared_ptr<const std::string> kept_text(const Id& key) const {
    const auto* const found = found_in(&Seldom::texts, key);
    return found == nullptr ? nullptr : *found;
  }
  std::shared_ptr<const std::string> keep_text(const Id& key, std::string text) {
    return seldom().texts[key] = std::make_shared<const std::string>(std::move(text));
  }

  // Writes. `record.revision` and `machine.revision` are those that were read (0: new); the unit counts them up, once.
  void put(Record record, std::optional<std::string> name_key = std::nullopt,
           std::optional<std::vector<Id>> references = std::nullopt);
  void put(Machine&& machine);
  void put(const Machine& machine) { put(Machine(machine)); }
  void erase(const Id& id);  // the record with its machine and keys
  // `at` is set to now().
  void emit(Event&& event);
  // The same of one that the caller fills, until the next one: its author is this unit's.
  Event& emit();

  // Before the changes are applied: the last event says how many ids have been given. A unit without events leaves that
  // to the Committer.
  Result<void> note_ids();
  // How many ids the store has given with those of this unit.
  std::uint32_t id_count() const { return ids_.count(); }

  // Tells the engine that this environment or cluster has new work for the next tick. `partition`: of its machines.
  void wake(const Id& owner, std::uint8_t partition) { woken_.push_back({partition, owner}); }

  // Tells the engine that this job is new, or no longer waits; it begins once the unit is committed.
  void begin_job(const Job& job) {
    if (std::ranges::find(jobs_, job.id, &Job::id) == jobs_.end()) jobs_.push_back(job);
  }
  // The operation is answered only when this job is done; if the unit fails, the operation is tried again then. Ignored
  // in a tick.
  void wait_for(const Id& job) { awaited_ = job; }
  // From here on this unit reads as if the record, and the rows directly below it, were not there; nothing is erased.
  void hide(const Id& id) { seldom().erased.insert(id); }

  // Tells the engine that this message is new, or to be sent again. `partition`: of its machine.
  void post(const Id& delivery, std::uint8_t partition) { posted_.push_back({partition, delivery}); }

  // Before the changes are applied: leaves to other engines the work in partitions that this one does not hold, as
  // `holds` says.
  void leave_to_others(const std::function<bool(std::uint8_t partition)>& holds);

  // In a tick: asks this after the commit. The answer goes to Hooks::answered in a later tick; if the process ends
  // before, the schedule is due again.
  void ask(ScheduledQuestion question) { seldom().questions.push_back(std::move(question)); }
  std::vector<ScheduledQuestion>& questions() { return seldom().questions; }

  // Before anything is put: uses the memory that another unit has left, until this one leaves it.
  void take_memory(UnitMemory& memory) { exchange_memory(memory); }
  // After the changes are committed. The unit is over.
  void leave_memory(UnitMemory& memory);

  // How much the unit has changed. Two of them show what was added in between, and that nothing else has changed.
  struct Extent {
    std::size_t records = 0;
    std::size_t machines = 0;
    std::size_t events = 0;
    std::uint32_t ids = 0;
    std::size_t others = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
  };
  Extent extent() const;
  // What comes next is of another request: ids, and what the last event says of them, are those of a unit of its own
  // for what was added since `before`, and another one behind it.
  void end_request(const Extent& before);
  // What comes next is of a later instant: as if it were of a unit of its own, which follows that of what was added
  // since the instant before. Neither may have changed what the other has.
  void begin_instant(Instant now);
  // What is there is written to the transaction, and the unit goes on without it: so that what is put and read of many
  // records stays at hand. More must follow. Does nothing in a unit that the Committer did not begin, and where
  // something was erased.
  Result<void> flush();
  void on_flush(std::function<Result<void>()> apply) { apply_ = std::move(apply); }
  const Changes& changes() const { return changes_; }
  Changes& changes() { return changes_; }
  const std::vector<WakeUp>& woken() const { return woken_; }
  const std::vector<WakeUp>& posted() const { return posted_; }
  const std::vector<Job>& jobs() const { return jobs_; }
  const Id& awaited_job() const { return awaited_; }  // nil: none

 private:
  bool is_erased(const Id& id) const;
  // Those that are not known yet, each once.
  template <typename Known>
  std::vector<Id> unknown(std::span<const Id> ids, const Known& known) const;
  const Record* changed_record(const Id& id) const;
  // The two parts of a range. False from the second: the visitor has stopped.
  Result<void> visit_stored(const RecordRange& range, const RecordVisitor& visit);
  bool visit_new(const RecordRange& range, const RecordVisitor& visit) const;
  const Machine* changed_machine(const Id& id) const;
  Result<void> visit_range(const MachineRange& range, const std::function<void(const Machine&)>& visit);
  void forget_made_of(const Id& record);
  void exchange_memory(UnitMemory& memory) {
    changes_.machines.swap(memory.machines);
    changes_.events.swap(memory.events);
    std::swap(machine_places_, memory.machine_places);
  }
  // Keep Seldom::names in step with the name key of a write.
  void note_name(const RecordWrite& write);
  void forget_name(const RecordWrite& write);

  // What most ticks do without: it is made when it is first changed.
  struct Seldom {
    std::unordered_set<Id> erased;
    // What changes_ holds, so that no read walks through it: the holder of each name key, and the new rows below each
    // parent and owner in the order in which they were put (one that was erased since is still named).
    FlatMap<std::string, Id, HashText> names;
    FlatMap<Id, std::vector<Id>> new_children;
    FlatMap<Id, std::vector<Id>> new_machines;
    struct Parsed {
      std::uint64_t revision = 0;
      std::shared_ptr<const Value> value;
    };
    FlatMap<Id, Parsed> parsed;
    FlatMap<Id, std::shared_ptr<const std::string>> texts;
    std::vector<ScheduledQuestion> questions;
    // What was read of a store that reads in batches.
    FlatMap<Id, Shared<Record>> loaded_records;
    FlatMap<Id, Shared<Machine>> loaded_machines;
    FlatMap<Id, std::vector<Shared<Record>>> loaded_children;
  };
  Seldom& seldom() {
    if (seldom_ == nullptr) seldom_ = std::make_unique<Seldom>();
    return *seldom_;
  }
  // In one of its maps; nullptr: it is not there.
  template <typename Map, typename Key>
  auto found_in(Map Seldom::*map, const Key& key) const -> decltype((std::declval<const Map&>()).find(key)) {
    return seldom_ == nullptr ? nullptr : (std::as_const(*seldom_).*map).find(key);
  }
  std::size_t erased_count() const { return seldom_ == nullptr ? 0 : seldom_->erased.size(); }

  Transaction& store_;
  IdMaker ids_;
  Instant now_;
  const Settings& settings_;
  const Hooks& hooks_;
  std::string author_;
  Changes changes_;
  FlatMap<Id, std::size_t> record_places_;   // in changes_.records
  FlatMap<Id, std::size_t> machine_places_;  // in changes_.machines
  std::vector<WakeUp> woken_;
  std::vector<WakeUp> posted_;
  std::vector<Job> jobs_;
  Id awaited_;
  Instant clock_time_;
  AgreedTime* agreed_time_ = nullptr;
  std::size_t events_before_ = 0;  // this instant
  std::size_t rewrites_ = 0;       // puts of what this unit had put before
  std::function<Result<void>()> apply_;
  std::unique_ptr<Seldom> seldom_;
};

}  // namespace orlop
