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

  // By which lifetimes pass in its units; outlives this. Set before another thread uses the committer. Without it they
  // pass by the time of what is stored.
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

  // Which events the feed keeps from now on: a bit for each EventKind. What follows from events (webhooks) does,
  // whether they are kept or not. The last event of a commit says how many ids have been given. With `keeps_counts` a
  // commit that gives ids keeps it, whatever its kind is; without, the number is in memory only: for stores that go
  // with the process.
  void record_events(std::uint32_t kinds, bool keeps_counts) {
    recorded_ = kinds;
    keeps_counts_ = keeps_counts;
  }

  bool records_all() const { return recorded_ == UINT32_MAX; }

  // The end of the feed, with the ids of commits without events: what a unit begins with that makes ids.
  Result<FeedEnd> end_of(Transaction& transaction) const;
  // The time of what is read, as a unit that writes has it: what the clock says, or, while that is behind the feed, the
  // time that goes on from its end. Whether it is behind is known from the last unit, or from note_end(), so that a
  // read asks for the end only then.
  Result<Instant> time_of(Transaction& transaction);
  void note_end(const FeedEnd& end) { is_behind_ = end.sequence != 0 && clock_.now() < end.at; }

  // How many ids have been given, and what that becomes when the store has gone back (store/store_checkpoint.h).
  std::uint32_t ids_given() const { return given_.load(); }
  void set_ids_given(std::uint32_t count) { given_.store(count); }
  // At least so many have been given.
  void note_given(std::uint32_t count);

  // Decides what a unit writes. An error discards the unit and is returned by run().
  using Work = std::function<Result<void>(Unit& unit)>;

  // Whether this engine moves a partition on; asked inside the transaction. What it does not, units leave to others.
  // Set before another thread uses the committer.
  using Holds = std::function<Result<bool>(Coordination& coordination, std::uint8_t partition)>;
  void on_leaving(Holds holds) { holds_ = std::move(holds); }

  // A write transaction whose work is under way. Rolled back if it is destroyed before commit(), and to be given up
  // after an error.
  struct Writing {
    std::unique_ptr<Transaction> transaction;
    std::unique_ptr<UnitMemory> memory;  // that the unit is lent
    std::optional<Unit> unit;            // sees what the units before it have changed
    std::uint32_t ids_before = 0;        // given before the unit
    // Of the units that were applied.
    bool is_changed = false;
    bool is_committed = false;  // with its last unit
    bool has_events = false;
    bool is_ahead = false;  // whether the clock is behind the feed
    std::uint64_t last_event = 0;
    std::uint32_t id_count = 0;
    std::vector<WakeUp> woken;
    std::vector<WakeUp> posted;
    std::vector<Job> jobs;
  };
  // The parts of run(), for work of several units: begin() waits for the writers before, and begins the first unit;
  // begin_unit() drops the unit that there is, and begins another one; apply() writes the unit into the transaction,
  // and the last one may be committed with it; commit() commits what was applied.
  Result<void> begin(const Caller& caller, Writing& writing);
  Result<void> begin_unit(Writing& writing);
  Result<void> apply(Writing& writing, bool is_last = false);
  Result<std::vector<WakeUp>> commit(Writing& writing);

  // Runs `work` of the engine itself, which sees what is being deleted, in a write transaction and commits. Returns the
  // owners that the unit woke here. Threads wait for each other; a store may let waiting ones share one commit. With
  // Access::optimistic, where the store can do that, `work` may have been in vain, whatever it has decided:
  // lost_update.
  Result<std::vector<WakeUp>> run(const Work& work, Access access = Access::write);
  // The same for the host, which does not see it (for_caller).
  Result<std::vector<WakeUp>> run_for_host(const Work& work);
  // The same for a caller, for work that may run a second time: what the first run has made counts for nothing. It can
  // then share a transaction with what other threads bring at the same time (Store::write).
  Result<std::vector<WakeUp>> run_repeatable(const Caller& caller, const Work& work);

 private:
  Store& store_;
  Clock& clock_;
  RandomSource& random_source_;
  const Settings& settings_;
  Hooks hooks_;
  AgreedTime* agreed_time_ = nullptr;
  // The ids that were given up to the last commit. The feed says it too, but for commits without an event.
  std::atomic<std::uint32_t> given_ = 0;
  std::atomic<std::uint32_t> recorded_ = UINT32_MAX;
  std::atomic<bool> keeps_counts_ = false;
  Posted posted_;
  Stored stored_;
  Begun begun_;
  Holds holds_;
  // The end of the feed that lay in the future when it was first seen, and when that was: from there time goes on by
  // the monotonic clock.
  struct Ahead {
    std::uint64_t sequence = 0;
    Duration seen_at;
  };
  // `is_ahead`: whether the clock, which says `now`, is behind it.
  Instant time_after(const FeedEnd& end, Instant now, bool& is_ahead);
  Result<std::vector<WakeUp>> run_in(Writing& writing, const Work& work);
  void drop_events(Unit& unit, bool keeps_last) const;
  void keep_memory(Writing& writing) noexcept;
  std::atomic<bool> is_behind_ = false;       // the clock
  std::atomic<UnitMemory*> spare_ = nullptr;  // of the last commit, for the next unit; its holder owns it
  std::mutex ahead_mutex_;
  Ahead ahead_;
};

}  // namespace orlop
