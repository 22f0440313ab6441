// The only place that writes: a unit's changes reach the store whole or not at all.
#pragma once

#include <functional>
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

  // Runs `work` inside a write transaction and commits. Answers the owners that the unit woke. Threads wait for each other's work; a
  // store may let those that wait share one commit.
  Result<std::vector<Id>> run(const Work& work);

 private:
  Store& store_;
  Clock& clock_;
  Entropy& entropy_;
  const Settings& settings_;
  Hooks hooks_;
};

}  // namespace orlop
