// The words of the lifecycles as enums with fixed numbers: states, actions, freshness. The interface's spelling of each
// is in word_of; numbers are what stores and bindings keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

enum class ServiceState : std::uint8_t {
#define ORLOP_SERVICE_STATE(name, number, word) name = number,
#include "lifecycle/states.def"
};

enum class ClusterState : std::uint8_t {
#define ORLOP_CLUSTER_STATE(name, number, word) name = number,
#include "lifecycle/states.def"
};

inline constexpr int service_state_count = 29;
inline constexpr int cluster_state_count = 24;

// What a request asks of an environment, a service or a cluster. Numbers are stored.
enum class Action : std::uint8_t {
  none = 0,
  deploy = 1,
  restart = 2,
  stop = 3,
  remove = 4,     // delete
  uninstall = 5,  // a delete that keeps the configuration
  dry_run = 6,    // clusters only
  upgrade = 7,    // clusters only
};

// Whether what runs is what is configured.
enum class Freshness : std::uint8_t { never_deployed = 1, out_of_date = 2, up_to_date = 3 };

// What the driver last said of a service's workload; none until it has spoken.
enum class RunningState : std::uint8_t {
  none = 0,
  starting = 1,
  running = 2,
  warning = 3,
  error = 4,
  stopping = 5,
  stopped = 6,
  completed = 7,
  unknown = 8,
};

std::string_view word_of(ServiceState state);
std::string_view word_of(ClusterState state);
std::string_view word_of(Freshness freshness);
std::string_view word_of(RunningState state);
// The request's word: DEPLOY, RESTART, STOP, DELETE (uninstall too), and for clusters DRY_RUN, UPGRADE; UNKNOWN for
// none.
std::string_view word_of(Action action);
std::optional<ServiceState> parse_service_state(std::string_view word);
std::optional<ClusterState> parse_cluster_state(std::string_view word);

// A state that a service or cluster only passes through: it always has a deadline.
bool is_transient(ServiceState state);
bool is_transient(ClusterState state);
// The last action ended with an error; a cluster's INVALID_CREDENTIALS counts.
bool is_error(ServiceState state);
bool is_error(ClusterState state);

}  // namespace orlop
