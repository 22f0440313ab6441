#include "lifecycle/state.h"

namespace orlop {

std::string_view word_of(ServiceState state) {
  switch (state) {
#define ORLOP_SERVICE_STATE(name, number, word) \
  case ServiceState::name:                      \
    return word;
#include "lifecycle/states.def"
  }
  return "";
}

std::string_view word_of(ClusterState state) {
  switch (state) {
#define ORLOP_CLUSTER_STATE(name, number, word) \
  case ClusterState::name:                      \
    return word;
#include "lifecycle/states.def"
  }
  return "";
}

std::string_view word_of(Freshness freshness) {
  switch (freshness) {
    case Freshness::never_deployed:
      return "NEVER_DEPLOYED";
    case Freshness::out_of_date:
      return "OUT_OF_DATE";
    case Freshness::up_to_date:
      return "UP_TO_DATE";
  }
  return "";
}

std::string_view word_of(RunningState state) {
  switch (state) {
    case RunningState::none:
      return "";
    case RunningState::starting:
      return "STARTING";
    case RunningState::running:
      return "RUNNING";
    case RunningState::warning:
      return "WARNING";
    case RunningState::error:
      return "ERROR";
    case RunningState::stopping:
      return "STOPPING";
    case RunningState::stopped:
      return "STOPPED";
    case RunningState::completed:
      return "COMPLETED";
    case RunningState::unknown:
      return "UNKNOWN";
  }
  return "";
}

std::string_view word_of(Action action) {
  switch (action) {
    case Action::none:
      return "UNKNOWN";
    case Action::deploy:
      return "DEPLOY";
    case Action::restart:
      return "RESTART";
    case Action::stop:
      return "STOP";
    case Action::remove:
    case Action::uninstall:
      return "DELETE";
    case Action::dry_run:
      return "DRY_RUN";
    case Action::upgrade:
      return "UPGRADE";
  }
  return "";
}

std::optional<ServiceState> parse_service_state(std::string_view word) {
#define ORLOP_SERVICE_STATE(name, number, spelling) \
  if (word == spelling) return ServiceState::name;
#include "lifecycle/states.def"
  return std::nullopt;
}

std::optional<ClusterState> parse_cluster_state(std::string_view word) {
#define ORLOP_CLUSTER_STATE(name, number, spelling) \
  if (word == spelling) return ClusterState::name;
#include "lifecycle/states.def"
  return std::nullopt;
}

bool is_transient(ServiceState state) {
  switch (state) {
    case ServiceState::queued:
    case ServiceState::deployment_queued:
    case ServiceState::waiting_running:
    case ServiceState::building:
    case ServiceState::deploying:
    case ServiceState::executing:
    case ServiceState::recap:
    case ServiceState::restart_queued:
    case ServiceState::waiting_restarting:
    case ServiceState::restarting:
    case ServiceState::stop_queued:
    case ServiceState::waiting_stopping:
    case ServiceState::stopping:
    case ServiceState::delete_queued:
    case ServiceState::waiting_deleting:
    case ServiceState::deleting:
    case ServiceState::canceling:
    case ServiceState::unavailable:
      return true;
    case ServiceState::ready:
    case ServiceState::deployed:
    case ServiceState::restarted:
    case ServiceState::stopped:
    case ServiceState::deleted:
    case ServiceState::canceled:
    case ServiceState::build_error:
    case ServiceState::deployment_error:
    case ServiceState::restart_error:
    case ServiceState::stop_error:
    case ServiceState::delete_error:
      return false;
  }
  return false;
}

bool is_transient(ClusterState state) {
  switch (state) {
    case ClusterState::queued:
    case ClusterState::deployment_queued:
    case ClusterState::dry_run:
    case ClusterState::building:
    case ClusterState::deploying:
    case ClusterState::restart_queued:
    case ClusterState::restarting:
    case ClusterState::stop_queued:
    case ClusterState::stopping:
    case ClusterState::delete_queued:
    case ClusterState::deleting:
    case ClusterState::canceling:
      return true;
    case ClusterState::ready:
    case ClusterState::deployed:
    case ClusterState::restarted:
    case ClusterState::stopped:
    case ClusterState::deleted:
    case ClusterState::canceled:
    case ClusterState::invalid_credentials:
    case ClusterState::build_error:
    case ClusterState::deployment_error:
    case ClusterState::restart_error:
    case ClusterState::stop_error:
    case ClusterState::delete_error:
      return false;
  }
  return false;
}

bool is_error(ServiceState state) {
  switch (state) {
    case ServiceState::build_error:
    case ServiceState::deployment_error:
    case ServiceState::restart_error:
    case ServiceState::stop_error:
    case ServiceState::delete_error:
      return true;
    case ServiceState::ready:
    case ServiceState::queued:
    case ServiceState::deployment_queued:
    case ServiceState::waiting_running:
    case ServiceState::building:
    case ServiceState::deploying:
    case ServiceState::executing:
    case ServiceState::recap:
    case ServiceState::deployed:
    case ServiceState::restart_queued:
    case ServiceState::waiting_restarting:
    case ServiceState::restarting:
    case ServiceState::restarted:
    case ServiceState::stop_queued:
    case ServiceState::waiting_stopping:
    case ServiceState::stopping:
    case ServiceState::stopped:
    case ServiceState::delete_queued:
    case ServiceState::waiting_deleting:
    case ServiceState::deleting:
    case ServiceState::deleted:
    case ServiceState::canceling:
    case ServiceState::canceled:
    case ServiceState::unavailable:
      return false;
  }
  return false;
}

bool is_error(ClusterState state) {
  switch (state) {
    case ClusterState::invalid_credentials:
    case ClusterState::build_error:
    case ClusterState::deployment_error:
    case ClusterState::restart_error:
    case ClusterState::stop_error:
    case ClusterState::delete_error:
      return true;
    case ClusterState::ready:
    case ClusterState::queued:
    case ClusterState::deployment_queued:
    case ClusterState::dry_run:
    case ClusterState::building:
    case ClusterState::deploying:
    case ClusterState::deployed:
    case ClusterState::restart_queued:
    case ClusterState::restarting:
    case ClusterState::restarted:
    case ClusterState::stop_queued:
    case ClusterState::stopping:
    case ClusterState::stopped:
    case ClusterState::delete_queued:
    case ClusterState::deleting:
    case ClusterState::deleted:
    case ClusterState::canceling:
    case ClusterState::canceled:
      return false;
  }
  return false;
}

}  // namespace orlop
