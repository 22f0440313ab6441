// The only place that writes. A unit's changes reach the store whole or not at all; units of several threads that wait at the same
// time share one commit, and with it one wait for the disk.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "base/settings.h"
#include "base/source.h"
#include "ops/unit.h"

namespace orlop {

class Committer {
 public:
  // All must outlive the committer.
  Committer(Store& store, Clock& clock, Entropy& entropy, const Settings& settings, const Hooks& hooks)
      : store_(store), clock_(clock), entropy_(entropy), settings_(settings), hooks_(hooks) {}

  // Decides what a unit writes. An error discards the unit and is handed back by run().
  using Work = std::function<Result<void>(Unit& unit)>;

  // Runs `work` inside a write transaction and commits. Answers the owners that the unit woke. Waits for the work of other threads;
  // `work` may run on another thread that is in run() at the same time, and must not call run().
  Result<std::vector<Id>> run(const Work& work);

 private:
  struct Pending {
    const Work* work = nullptr;
    Result<void> outcome = {};
    std::vector<Id> woken;
    bool is_done = false;
  };

  void lead(std::unique_lock<std::mutex>& lock);
  void commit_together(std::vector<Pending*>& batch);
  Result<void> apply_one(Transaction& transaction, Pending& pending);
  Result<void> commit_alone(Pending& pending);

  Store& store_;
  Clock& clock_;
  Entropy& entropy_;
  const Settings& settings_;
  Hooks hooks_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::vector<Pending*> waiting_;
  bool has_leader_ = false;
};

}  // namespace orlop
