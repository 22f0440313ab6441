// What an environment's state and freshness are, derived from its requests and its services. Pure; nothing is stored.
#pragma once

#include <array>
#include <cstdint>

#include "lifecycle/state.h"

namespace orlop {

// Whether a service takes part in the actions of its environment.
enum class Participation : std::uint8_t { included = 1, skipped = 2 };

// Counts the services of one environment by state and freshness, so that a change of one service costs the same
// whatever their number. Skipped services are left out. What is removed must have been added with the same values
// before.
class ServiceTally {
 public:
  void add(ServiceState state, Freshness freshness, Participation participation);
  void remove(ServiceState state, Freshness freshness, Participation participation);

  std::uint32_t total() const { return total_; }
  std::uint32_t count(ServiceState state) const;
  std::uint32_t count(Freshness freshness) const;

 private:
  std::array<std::uint32_t, state_count<ServiceState> + 1> by_state_{};
  std::array<std::uint32_t, 4> by_freshness_{};
  std::uint32_t total_ = 0;
};

// How an environment's last request ended; none before the first.
enum class RequestOutcome : std::uint8_t { none = 0, succeeded = 1, failed = 2, build_failed = 3, canceled = 4 };

// An environment's requests, in short.
struct EnvironmentRequests {
  Action running = Action::none;  // none: no request runs
  bool is_canceling = false;      // the running one is being canceled
  Action queued = Action::none;   // the head of the queue; none: the queue is empty
  Action last = Action::none;     // the last request that ended
  RequestOutcome last_outcome = RequestOutcome::none;
};

// Total: an environment whose services agree on nothing shows the first of an error, CANCELED and STOPPED that one of
// them is in, else READY.
ServiceState environment_state(const EnvironmentRequests& requests, const ServiceTally& services);

// NEVER_DEPLOYED if all services are, or there are none; OUT_OF_DATE if any is; else UP_TO_DATE.
Freshness environment_freshness(const ServiceTally& services);

}  // namespace orlop
