// The only place that writes: a unit's changes reach the store whole or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "base/source.h"
#include "ops/caller.h"
#include "ops/unit.h"

namespace orlop {

class Committer {
 public:
  // All must outlive the committer.
  Committer(Store& store, Clock& clock, RandomSource& random_source, const Settings& settings, const Hooks& hooks)
      : store_(store), clock_(clock), random_source_(random_source), settings_(settings), hooks_(hooks) {}

  // Called, without a transaction, with the messages that a committed unit has posted. Set before any other thread uses the committer.
  using Posted = std::function<void(std::span<const Id> deliveries)>;
  void on_posted(Posted posted) { posted_ = std::move(posted); }

  // Called, without a transaction, with the number of the last event of a committed unit that had some; not always in the order of the numbers.
  // Set before any other thread uses the committer.
  using Stored = std::function<void(std::uint64_t last_event)>;
  void on_stored(Stored stored) { stored_ = std::move(stored); }

  // Called, without a transaction, with the jobs that a committed unit has begun. Set before any other thread uses the committer.
  using Begun = std::function<void(std::span<const Job> jobs)>;
  void on_begun(Begun begun) { begun_ = std::move(begun); }

  // Decides what a unit writes. An error discards the unit and is handed back by run().
  using Work = std::function<Result<void>(Unit& unit)>;

  // Runs `work` inside a write transaction and commits. Answers the owners that the unit woke. Threads wait for each other's work; a
  // store may let those that wait share one commit.
  Result<std::vector<Id>> run(const Work& work) { return run(Caller(), work); }
  // The same, where the unit sees no more of the store than the caller may know of.
  Result<std::vector<Id>> run(const Caller& caller, const Work& work);

 private:
  Store& store_;
  Clock& clock_;
  RandomSource& random_source_;
  const Settings& settings_;
  Hooks hooks_;
  Posted posted_;
  Stored stored_;
  Begun begun_;
};

}  // namespace orlop
