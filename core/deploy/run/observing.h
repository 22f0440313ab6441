// Rounds of observation: asks the driver at an interval what it sees of the deployed services, and notices those of
// which it says nothing. In memory only; what is asked is read from the store for each round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/moment.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "store/partition.h"
#include "unit/unit.h"

namespace orlop {

// Reports whether the service was deployed and not taken away again.
bool has_workload(const Machine& machine);

class Observing {
 public:
  Observing(Driver& driver, const Settings& settings) : driver_(driver), settings_(settings) {}

  // Returns when the next part of a round is due, on the monotonic clock; nullopt if the driver observes nothing.
  OptionalInstant due() const;
  bool is_due(Duration monotonic) const { return due() && due()->milliseconds <= monotonic.milliseconds; }

  // Reads the services of the next part of a round in these partitions, outside of the unit of a tick. Services that
  // were asked for and have not been answered for three intervals are reported as UNKNOWN in `missing`.
  Result<void> read_part(Unit& unit, Duration monotonic, PartitionSet held, std::vector<Report>& missing);
  // After the commit: asks the driver for what was read, one call for each cluster.
  void act();

  // Begins a round at once: the engine holds more partitions.
  void begin_again() {
    places_.clear();
    at_ = 0;
    next_ = {};
    forget_answers();
  }
  // What is stored may differ from what was answered last: another engine has stored its answers meanwhile.
  void forget_answers();
  // Takes over what is known of the past from the memory before a recovery.
  void go_on(Observing& before);

  // Notes an answer. Returns false if it says what is stored already, as far as is known.
  bool is_news(const Report& report, Duration monotonic);

 private:
  struct Place {
    Id environment;
    Id cluster;
  };
  // Of a service that the driver was asked for.
  struct Watched {
    Duration heard_at;         // when it last answered, or was asked first
    std::uint64_t said = 0;    // hash of the answer; 0: none that is stored
    std::uint32_t round = 0;   // the last one that asked for it
    std::uint8_t running = 0;  // RunningState that was stored when the driver was asked last
  };
  struct Asked {
    Id cluster;
    std::vector<Id> services;
  };

  Result<void> begin_round(Unit& unit, PartitionSet held);
  void end_round(Duration monotonic);
  void add(const Place& place, const Machine& service, Duration monotonic, std::vector<Report>& missing);

  Driver& driver_;
  const Settings& settings_;
  Duration next_;  // when the next round begins; zero: at once
  std::uint32_t round_ = 0;
  std::vector<Place> places_;  // environments of the round, by cluster
  std::size_t at_ = 0;         // of the next part
  std::vector<Asked> asked_;   // for act()
  std::unordered_map<Id, Watched> watched_;
};

}  // namespace orlop
