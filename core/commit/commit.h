// The only write to the store: the changes of a unit are applied completely or not at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/options/settings.h"
#include "base/source.h"
#include "unit/caller.h"
#include "unit/unit.h"

namespace orlop {

class Committer {
 public:
  // All arguments must outlive the committer.
  Committer(Store& store, Clock& clock, RandomSource& random_source, const Settings& settings, const Hooks& hooks)
      : store_(store), clock_(clock), random_source_(random_source), settings_(settings), hooks_(hooks) {}

  Committer(const Committer&) = delete;
  Committer& operator=(const Committer&) = delete;
  ~Committer() { delete spare_.load(); }

  const Hooks& hooks() const { return hooks_; }

  // Clock by which lifetimes elapse; must outlive the committer. Set before another thread uses the committer. Without
  // it lifetimes elapse by the times of stored events.
  void use_agreed_time(AgreedTime& time) { agreed_time_ = &time; }
  AgreedTime* agreed_time() const { return agreed_time_; }

  // Called without a transaction, with the webhook messages of a committed unit. Set before another thread uses the
  // committer.
  using Posted = std::function<void(std::span<const WakeUp> deliveries)>;
  void on_posted(Posted posted) { posted_ = std::move(posted); }

  // Called without a transaction, with the number of the last event of a committed unit with events; not always in
  // ascending order. Set before another thread uses the committer.
  using Stored = std::function<void(std::uint64_t last_event)>;
  void on_stored(Stored stored) { stored_ = std::move(stored); }

  // Called without a transaction, with the jobs that a committed unit has started. Set before another thread uses the
  // committer.
  using Begun = std::function<void(std::span<const Job> jobs)>;
  void on_begun(Begun begun) { begun_ = std::move(begun); }

  // Sets the kinds of events that the feed keeps from now on: a bit for each EventKind. Effects of events (webhooks)
  // happen for dropped events too. The last event of a commit states how many ids have been given: with `keeps_counts`,
  // a commit that gives ids keeps its last event whatever its kind; without, the count is in memory only, for stores
  // that end with the process.
  void record_events(std::uint32_t kinds, bool keeps_counts) {
    recorded_ = kinds;
    keeps_counts_ = keeps_counts;
  }

  bool records_all() const { return recorded_ == UINT32_MAX; }

  // Returns the end of the feed, including ids given by commits without events: the start of a unit that makes ids.
  Result<FeedEnd> end_of(Transaction& transaction) const;
  // Returns the time for a read, the same as for a unit that writes: the clock's, or, while the clock is behind the
  // feed, a time that advances from the feed's end. The last unit or note_end() has found out whether the clock is
  // behind; only then is the end read.
  Result<Instant> time_of(Transaction& transaction);
  void note_end(const FeedEnd& end) { is_behind_ = end.sequence != 0 && clock_.now() < end.at; }

  // Number of ids given, and a setter for when the store has been reset (store/store_checkpoint.h).
  std::uint32_t ids_given() const { return given_.load(); }
  void set_ids_given(std::uint32_t count) { given_.store(count); }
  // Raises the number of ids given to at least `count`.
  void note_given(std::uint32_t count);

  // Fills the unit with changes. An error discards the unit and is returned by run().
  using Work = std::function<Result<void>(Unit& unit)>;

  // Reports whether this engine owns a partition; asked inside the transaction. Wakeups of other partitions are left to
  // their owners. Set before another thread uses the committer.
  using Holds = std::function<Result<bool>(Coordination& coordination, std::uint8_t partition)>;
  void on_leaving(Holds holds) { holds_ = std::move(holds); }

  // Open write transaction. Rolled back if destroyed before commit(); after an error it must be destroyed.
  struct Writing {
    std::unique_ptr<Transaction> transaction;
    std::unique_ptr<UnitMemory> memory;  // buffers lent to the unit
    std::optional<Unit> unit;            // sees the changes of the units before it
    std::uint32_t ids_before = 0;        // ids given before the unit began
    // Of the units that were applied:
    bool is_changed = false;
    bool is_committed = false;  // committed with its last unit
    bool has_events = false;
    bool is_ahead = false;  // the clock is behind the feed
    std::uint64_t last_event = 0;
    std::uint32_t id_count = 0;
    std::vector<WakeUp> woken;
    std::vector<WakeUp> posted;
    std::vector<Job> jobs;
  };
  // The parts of run(), for several units in a transaction. begin() waits for earlier writers and begins the first
  // unit; begin_unit() drops the current unit and begins another; apply() writes the unit into the transaction, and
  // with `is_last` may commit; commit() commits what was applied.
  Result<void> begin(const Caller& caller, Writing& writing);
  Result<void> begin_unit(Writing& writing);
  Result<void> apply(Writing& writing, bool is_last = false);
  Result<std::vector<WakeUp>> commit(Writing& writing);

  // Runs `work` of the engine, which sees records that are being deleted, in a write transaction and commits. Returns
  // the owners that the unit woke and that this engine moves. Threads wait for each other; a store may combine waiting
  // ones in one commit. With Access::optimistic, in a store that supports it, the commit may fail with lost_update,
  // whatever `work` has decided.
  Result<std::vector<WakeUp>> run(const Work& work, Access access = Access::write);
  // run() for the host, without records that are being deleted (for_caller).
  Result<std::vector<WakeUp>> run_for_host(const Work& work);
  // run() for a caller, for work that may run a second time: the results of the first run are discarded. It can share a
  // transaction with the work of other threads (Store::write).
  Result<std::vector<WakeUp>> run_repeatable(const Caller& caller, const Work& work);

 private:
  Store& store_;
  Clock& clock_;
  RandomSource& random_source_;
  const Settings& settings_;
  Hooks hooks_;
  AgreedTime* agreed_time_ = nullptr;
  // Number of ids given up to the last commit, including commits without an event, which the feed does not show.
  std::atomic<std::uint32_t> given_ = 0;
  std::atomic<std::uint32_t> recorded_ = UINT32_MAX;
  std::atomic<bool> keeps_counts_ = false;
  Posted posted_;
  Stored stored_;
  Begun begun_;
  Holds holds_;
  // Event at the end of the feed that was in the future when it was first seen, and the monotonic time then: from there
  // time advances by the monotonic clock.
  struct Ahead {
    std::uint64_t sequence = 0;
    Duration seen_at;
  };
  // Sets `is_ahead` if the clock's time `now` is behind the feed.
  Instant time_after(const FeedEnd& end, Instant now, bool& is_ahead);
  Result<std::vector<WakeUp>> run_in(Writing& writing, const Work& work);
  void drop_events(Unit& unit, bool keeps_last) const;
  void keep_memory(Writing& writing) noexcept;
  std::atomic<bool> is_behind_ = false;       // the clock is behind the feed
  std::atomic<UnitMemory*> spare_ = nullptr;  // buffers of the last commit, for the next unit; owned by their taker
  std::mutex ahead_mutex_;
  Ahead ahead_;
};

}  // namespace orlop
