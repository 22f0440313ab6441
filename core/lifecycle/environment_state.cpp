#include "lifecycle/environment_state.h"

#include <cassert>
#include <cstddef>

#include "lifecycle/action.h"

namespace orlop {
namespace {

ServiceState state_of_last(const EnvironmentRequests& requests, ServiceState at_rest) {
  switch (requests.last_outcome) {
    case RequestOutcome::none:
    case RequestOutcome::succeeded: return at_rest;
    case RequestOutcome::failed: return row_of(requests.last).failed;
    case RequestOutcome::build_failed: return ServiceState::build_error;
    case RequestOutcome::canceled: return ServiceState::canceled;
  }
  return at_rest;
}

// Without services, the last successful action determines the state.
ServiceState state_of_none(Action last) {
  switch (last) {
    case Action::deploy: return ServiceState::deployed;
    case Action::restart: return ServiceState::restarted;
    case Action::stop: return ServiceState::stopped;
    case Action::none:
    case Action::remove:
    case Action::uninstall:
    case Action::dry_run:
    case Action::upgrade: return ServiceState::ready;
  }
  return ServiceState::ready;
}

ServiceState state_of_services(Action last, const ServiceTally& services) {
  if (services.total() == 0) return state_of_none(last);
  const std::uint32_t stopped = services.count(ServiceState::stopped);
  if (stopped == services.total()) return ServiceState::stopped;
  if (services.count(ServiceState::deployed) + services.count(ServiceState::restarted) > 0) {
    return last == Action::restart ? ServiceState::restarted : ServiceState::deployed;
  }
  constexpr ServiceState by_urgency[] = {
      ServiceState::build_error,  ServiceState::deployment_error, ServiceState::restart_error, ServiceState::stop_error,
      ServiceState::delete_error, ServiceState::canceled,         ServiceState::stopped};
  for (const ServiceState state : by_urgency) {
    if (services.count(state) > 0) return state;
  }
  return ServiceState::ready;
}

// Counts unknown values, which this library did not write, at index 0.
template <typename Enum, typename Counts>
std::size_t place_of(Enum value, const Counts& counts) {
  const auto place = static_cast<std::size_t>(value);
  return place < counts.size() ? place : 0;
}

}  // namespace

void ServiceTally::add(ServiceState state, Freshness freshness, Participation participation) {
  if (participation == Participation::skipped) return;
  ++by_state_[place_of(state, by_state_)];
  ++by_freshness_[place_of(freshness, by_freshness_)];
  ++total_;
}

void ServiceTally::remove(ServiceState state, Freshness freshness, Participation participation) {
  if (participation == Participation::skipped) return;
  assert(count(state) > 0 && count(freshness) > 0);
  --by_state_[place_of(state, by_state_)];
  --by_freshness_[place_of(freshness, by_freshness_)];
  --total_;
}

std::uint32_t ServiceTally::count(ServiceState state) const { return by_state_[place_of(state, by_state_)]; }

std::uint32_t ServiceTally::count(Freshness freshness) const {
  return by_freshness_[place_of(freshness, by_freshness_)];
}

ServiceState environment_state(const EnvironmentRequests& requests, const ServiceTally& services) {
  if (requests.running != Action::none) {
    if (requests.is_canceling) return ServiceState::canceling;
    const bool builds = requests.running == Action::deploy && services.count(ServiceState::building) > 0;
    return builds ? ServiceState::building : row_of(requests.running).running;
  }
  if (requests.queued != Action::none) return row_of(requests.queued).queued;
  return state_of_last(requests, state_of_services(requests.last, services));
}

Freshness environment_freshness(const ServiceTally& services) {
  if (services.count(Freshness::never_deployed) == services.total()) return Freshness::never_deployed;
  return services.count(Freshness::up_to_date) == services.total() ? Freshness::up_to_date : Freshness::out_of_date;
}

}  // namespace orlop
