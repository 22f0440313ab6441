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

// Work that continues over several commits (records/bulk_jobs/job_parts.h); named by its machine.
struct Job {
  Id id;
  std::uint8_t partition = 0;  // partition of its machine
  bool is_elsewhere = false;   // another engine performs it
};

enum class Question : std::uint16_t;  // external_systems/question.h

// Question of a tick to external systems about the record of a schedule, asked after the unit's commit.
struct ScheduledQuestion {
  Id subject;
  Question question;
  Value input = Value::object();
};

// Functions of the layers above ops for created or changed records: machine, stages, freshness.
struct Hooks {
  // `plan_flags`: bits of PlanFlag that follow from the record.
  Result<void> (*created)(Unit& unit, const Family& family, const Record& record, std::uint32_t plan_flags) = nullptr;
  Result<void> (*edited)(Unit& unit, const Id& subject) = nullptr;  // subject: a service or cluster that an edit
                                                                    // affects
  // edited() for a service whose machine is already read.
  Result<void> (*reached)(Unit& unit, const Id& organization, Machine machine) = nullptr;
  // Called before the unit is applied, for consequences of its events; must not emit any.
  Result<void> (*finishing)(Unit& unit) = nullptr;
  // Called if the schedule (MachineKind::schedule) is new, was edited or is due, or if the clock was put back: a
  // deadline that was set while the clock was ahead then does not count. Returns the next due time by
  // Unit::clock_time(); nullopt: none until its question (Unit::ask) is answered or it is edited. A machine that is put
  // stores the time; else the schedule is due again when another process opens the store.
  Result<std::optional<Instant>> (*due)(Unit& unit, Machine schedule) = nullptr;
  // Called with the answer to the schedule's question. Returns the same as due().
  Result<std::optional<Instant>> (*answered)(Unit& unit, Machine schedule, const Result<Value>& answer) = nullptr;
  // Returns the error with which `created` would refuse one of `more` further records of the family, except for the
  // number in its message.
  Result<void> (*room)(Unit& unit, const Family& family, const Id& organization, std::int64_t more) = nullptr;
};

inline constexpr Hooks no_hooks;

// Buffers of a finished unit, for the next one: most units change about as much as the one before.
struct UnitMemory {
  std::vector<Machine> machines;
  std::vector<Event> events;
  FlatMap<Id, std::size_t> machine_places;
};

class Unit {
 public:
  // `hooks` must outlive the unit. `end`: end of the feed; its number identifies the transaction for the random source;
  // unused by a unit that only reads.
  Unit(Transaction& store, RandomSource& random_source, const FeedEnd& end, Instant now, const Settings& settings,
       const Hooks& hooks = no_hooks)
      : store_(store),
        ids_(random_source, end.sequence, end.id_count, now),
        now_(now),
        settings_(settings),
        hooks_(hooks),
        clock_time_(now) {}
  Unit(const Unit&) = delete;
  // A unit that is never applied, to try an operation. It reads the store without the changes of `other`.
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

  // Time of what the unit stores. Never decreases: if the clock was put back, it continues from the last event.
  Instant now() const { return now_; }
  // Time of the clock, by which schedules are due; now() unless set.
  Instant clock_time() const { return clock_time_; }
  void set_clock_time(Instant time) { clock_time_ = time; }
  // Time by which lifetimes elapse (unit/agreed_time.h); now() unless set. Errors: those of the store.
  Result<Instant> agreed_time();
  Result<Expiry> expiry();
  void use_agreed_time(AgreedTime* time) { agreed_time_ = time; }
  const Settings& settings() const { return settings_; }
  const Hooks& hooks() const { return hooks_; }
  Id make_id() { return ids_.make(); }
  std::uint64_t draw() { return ids_.draw(); }

  // Author of every event that names none. "": a tick.
  void set_author(std::string_view author) { author_ = author; }
  std::string_view author() const { return author_; }

  // Reads: the store with this unit's own changes on top. As with a store, a row does not change while it is held. Null
  // if there is none.
  Result<Shared<Record>> record(const Id& id);
  Result<Shared<Machine>> machine(const Id& id);
  // Returns the public text of a record that was read from this unit, as a value: parsed once, until the unit changes
  // the record.
  Result<std::shared_ptr<const Value>> value_of(const Record& record);
  Result<std::optional<Id>> find(std::string_view name_key) { return find(name_key, Expected::any); }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected);
  Result<std::vector<Record>> records(const RecordRange& range);  // ascending by id
  // Visits the records of a range without copies, those that this unit has put last; may exceed the limit of the range.
  // As in the store, a visitor must not call the unit.
  Result<void> visit(const RecordRange& range, const RecordVisitor& visit);
  Result<std::vector<Machine>> machines(const Id& owner, FamilyNumber family = 0);  // ascending by id
  // Returns the machines with these ids that exist, ascending by id, in one call of the store. `ids` must be distinct.
  Result<std::vector<Machine>> machines_of(std::span<const Id> ids);
  // Reserves memory for `count` machines with an event each, so that the buffers do not move while they are put.
  void expect_machines(std::size_t count) {
    changes_.machines.reserve(changes_.machines.size() + count);
    changes_.events.reserve(changes_.events.size() + count);
    machine_places_.make_room(count);
  }
  bool has_put_machine(const Id& id) const { return machine_places_.contains(id); }
  // machines() without copies, those that this unit has put last. As in the store, a visitor must not call the unit.
  Result<void> visit_machines(const Id& owner, FamilyNumber family, const std::function<void(const Machine&)>& visit);
  // Visits only id, family, state, freshness and plan_flags of each machine of the owner, in any order: for counting
  // many. As in the store, a visitor must not call the unit.
  Result<void> visit_states(const Id& owner, const std::function<void(const Machine&)>& visit);
  Result<std::vector<RecordCount>> counts(const CountRange& range);
  // Reads these records and machines, or the rows directly below them, in one call of the store, so that later reads in
  // this unit need none. Ids may repeat. Does nothing in a store where single reads cost no more.
  Result<void> load(std::span<const Id> ids);
  Result<void> load_children(std::span<const Id> parents);
  // The store without this unit's changes: for feeds, history and large ranges.
  Transaction& stored() { return store_; }

  // Cache of texts made from records, under an id that the caller chooses, for several steps of one unit. Cleared when
  // a record is put or erased. Null if absent.
  std::shared_ptr<const std::string> kept_text(const Id& key) const {
    const auto* const found = found_in(&Seldom::texts, key);
    return found == nullptr ? nullptr : *found;
  }
  std::shared_ptr<const std::string> keep_text(const Id& key, std::string text) {
    return seldom().texts[key] = std::make_shared<const std::string>(std::move(text));
  }

  // Writes. `record.revision` and `machine.revision` are those that were read (0: new); the unit increments them once.
  void put(Record record, std::optional<std::string> name_key = std::nullopt,
           std::optional<std::vector<Id>> references = std::nullopt);
  void put(Machine&& machine);
  void put(const Machine& machine) { put(Machine(machine)); }
  void erase(const Id& id);  // erases the record with its machine and keys
  // Sets `at` to now().
  void emit(Event&& event);
  // Adds an event for the caller to fill, valid until the next one; its author is this unit's.
  Event& emit();

  // Stores the number of ids given in the last event; call it before the changes are applied. For a unit without events
  // the Committer keeps the number.
  Result<void> note_ids();
  // Number of ids that the store has given, including those of this unit.
  std::uint32_t id_count() const { return ids_.count(); }

  // Notifies the engine that this environment or cluster has work for the next tick. `partition`: of its machines.
  void wake(const Id& owner, std::uint8_t partition) { woken_.push_back({partition, owner}); }

  // Notifies the engine that this job is new or no longer waits; it begins once the unit is committed.
  void begin_job(const Job& job) {
    if (std::ranges::find(jobs_, job.id, &Job::id) == jobs_.end()) jobs_.push_back(job);
  }
  // Delays the operation's answer until this job is done; if the unit fails, the operation is tried again then. Ignored
  // in a tick.
  void wait_for(const Id& job) { awaited_ = job; }
  // Makes later reads of this unit skip the record and the rows directly below it; erases nothing.
  void hide(const Id& id) { seldom().erased.insert(id); }

  // Notifies the engine that this message is new or due again. `partition`: of its machine.
  void post(const Id& delivery, std::uint8_t partition) { posted_.push_back({partition, delivery}); }

  // Leaves work in partitions that this engine does not own (see `holds`) to other engines; call it before the changes
  // are applied.
  void leave_to_others(const std::function<bool(std::uint8_t partition)>& holds);

  // Asks the question after the commit of a tick. Hooks::answered receives the answer in a later tick; if the process
  // ends before, the schedule is due again.
  void ask(ScheduledQuestion question) { seldom().questions.push_back(std::move(question)); }
  std::vector<ScheduledQuestion>& questions() { return seldom().questions; }

  // Uses the buffers of another unit until leave_memory(); call it before anything is put.
  void take_memory(UnitMemory& memory) { exchange_memory(memory); }
  // Returns the buffers after the commit. The unit must not be used again.
  void leave_memory(UnitMemory& memory);

  // Sizes of the unit's changes. Two of them show what was added in between, and that nothing else has changed.
  struct Extent {
    std::size_t records = 0;
    std::size_t machines = 0;
    std::size_t events = 0;
    std::uint32_t ids = 0;
    std::size_t others = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
  };
  Extent extent() const;
  // Begins the changes of another request: ids, and their count in the last event, become as if the changes since
  // `before` were a unit of their own, followed by another.
  void end_request(const Extent& before);
  // Begins the changes of a later instant, as if they were another unit that follows the one of the instant before. The
  // two must not change the same rows.
  void begin_instant(Instant now);
  // Writes the changes so far to the transaction and drops them from the unit, so that the memory for many records
  // stays in the caches. More changes must follow. Does nothing in a unit that the Committer did not begin, or if
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
  // Returns the ids that are not in `known`, each once.
  template <typename Known>
  std::vector<Id> unknown(std::span<const Id> ids, const Known& known) const;
  const Record* changed_record(const Id& id) const;
  // The two parts of visit(): stored and new records. visit_new() returns false if the visitor has stopped.
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
  // Keep Seldom::names consistent with the name key of a write.
  void note_name(const RecordWrite& write);
  void forget_name(const RecordWrite& write);

  // Members that most ticks do not need: allocated at the first change.
  struct Seldom {
    std::unordered_set<Id> erased;
    // Indexes of changes_, so that reads do not scan it: the holder of each name key, and the new rows below each
    // parent and owner in the order of put() (including rows erased since).
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
    // Rows read ahead, from a store that reads in batches.
    FlatMap<Id, Shared<Record>> loaded_records;
    FlatMap<Id, Shared<Machine>> loaded_machines;
    FlatMap<Id, std::vector<Shared<Record>>> loaded_children;
  };
  Seldom& seldom() {
    if (seldom_ == nullptr) seldom_ = std::make_unique<Seldom>();
    return *seldom_;
  }
  // Looks up the key in one of the maps of Seldom; null if absent.
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
  FlatMap<Id, std::size_t> record_places_;   // indexes into changes_.records
  FlatMap<Id, std::size_t> machine_places_;  // indexes into changes_.machines
  std::vector<WakeUp> woken_;
  std::vector<WakeUp> posted_;
  std::vector<Job> jobs_;
  Id awaited_;
  Instant clock_time_;
  AgreedTime* agreed_time_ = nullptr;
  std::size_t events_before_ = 0;  // number of events before this instant
  std::size_t rewrites_ = 0;       // number of puts that replaced an earlier put of this unit
  std::function<Result<void>()> apply_;
  std::unique_ptr<Seldom> seldom_;
};

}  // namespace orlop
