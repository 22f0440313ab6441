// State and freshness of an environment, derived from its requests and services. Pure; nothing is stored.
#pragma once

#include <array>
#include <cstdint>

#include "lifecycle/state.h"

namespace orlop {

// Participation of a service in the actions of its environment.
enum class Participation : std::uint8_t { included = 1, skipped = 2 };

// Counts the services of one environment by state and freshness, so that a change of one service has constant cost.
// Skipped services are not counted. Values passed to remove() must have been added before.
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

// Outcome of an environment's last request; none before the first.
enum class RequestOutcome : std::uint8_t { none = 0, succeeded = 1, failed = 2, build_failed = 3, canceled = 4 };

// Summary of an environment's requests.
struct EnvironmentRequests {
  Action running = Action::none;  // none: no request is running
  bool is_canceling = false;      // the running request is being canceled
  Action queued = Action::none;   // head of the queue; none: the queue is empty
  Action last = Action::none;     // last request that ended
  RequestOutcome last_outcome = RequestOutcome::none;
};

// Returns the state of an environment, for any input. Requests come first. If the states of its services differ:
// DEPLOYED (RESTARTED) if one is, else the first of an error, CANCELED and STOPPED that one of them has, else READY.
ServiceState environment_state(const EnvironmentRequests& requests, const ServiceTally& services);

// Returns NEVER_DEPLOYED if all services are or there are none; UP_TO_DATE if all are; else OUT_OF_DATE.
Freshness environment_freshness(const ServiceTally& services);

}  // namespace orlop
