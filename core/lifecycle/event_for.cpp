#include "lifecycle/event_for.h"

namespace orlop {
namespace {

std::optional<ServiceEvent> failed_of_action(Action action) {
  switch (action) {
    case Action::none:
    case Action::dry_run:
    case Action::upgrade:
      return std::nullopt;
    case Action::deploy:
      return ServiceEvent::failed_deploying;
    case Action::restart:
      return ServiceEvent::failed_restarting;
    case Action::stop:
      return ServiceEvent::failed_stopping;
    case Action::remove:
    case Action::uninstall:
      return ServiceEvent::failed_deleting;
  }
  return std::nullopt;
}

std::optional<ClusterEvent> failed_of_cluster_action(Action action) {
  switch (action) {
    case Action::none:
    case Action::uninstall:
    case Action::dry_run:
      return std::nullopt;
    case Action::deploy:
    case Action::upgrade:
      return ClusterEvent::failed_deploying;
    case Action::restart:
      return ClusterEvent::failed_restarting;
    case Action::stop:
      return ClusterEvent::failed_stopping;
    case Action::remove:
      return ClusterEvent::failed_deleting;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ServiceEvent> service_request_event(Action action) {
  switch (action) {
    case Action::none:
    case Action::dry_run:
    case Action::upgrade:
      return std::nullopt;
    case Action::deploy:
      return ServiceEvent::request_deploy;
    case Action::restart:
      return ServiceEvent::request_restart;
    case Action::stop:
      return ServiceEvent::request_stop;
    case Action::remove:
    case Action::uninstall:
      return ServiceEvent::request_delete;
  }
  return std::nullopt;
}

std::optional<ClusterEvent> cluster_request_event(Action action) {
  switch (action) {
    case Action::none:
    case Action::uninstall:
      return std::nullopt;
    case Action::deploy:
      return ClusterEvent::request_deploy;
    case Action::restart:
      return ClusterEvent::request_restart;
    case Action::stop:
      return ClusterEvent::request_stop;
    case Action::remove:
      return ClusterEvent::request_delete;
    case Action::dry_run:
      return ClusterEvent::request_dry_run;
    case Action::upgrade:
      return ClusterEvent::request_upgrade;
  }
  return std::nullopt;
}

std::optional<ServiceEvent> service_started_event(Action action) {
  switch (action) {
    case Action::none:
    case Action::dry_run:
    case Action::upgrade:
      return std::nullopt;
    case Action::deploy:
      return ServiceEvent::deploy_started;
    case Action::restart:
      return ServiceEvent::restart_started;
    case Action::stop:
      return ServiceEvent::stop_started;
    case Action::remove:
    case Action::uninstall:
      return ServiceEvent::delete_started;
  }
  return std::nullopt;
}

std::optional<ClusterEvent> cluster_started_event(Action action) {
  switch (action) {
    case Action::none:
    case Action::uninstall:
    case Action::dry_run:
      return std::nullopt;
    case Action::deploy:
    case Action::upgrade:
      return ClusterEvent::deploy_started;
    case Action::restart:
      return ClusterEvent::restart_started;
    case Action::stop:
      return ClusterEvent::stop_started;
    case Action::remove:
      return ClusterEvent::delete_started;
  }
  return std::nullopt;
}

ServiceEvent service_succeeded_event(Action action) {
  return action == Action::uninstall ? ServiceEvent::uninstalled : ServiceEvent::succeeded;
}

std::optional<ServiceEvent> failed_event(ServiceState from, Action action, Phase phase) {
  // Only these three serve every action; elsewhere the state itself says whose failure it is.
  if (from == ServiceState::queued) return failed_of_action(action);
  if (from == ServiceState::unavailable || from == ServiceState::canceling) {
    return finished_anyway_event(action, Outcome::failed, phase);
  }
  return ServiceEvent::failed;
}

std::optional<ClusterEvent> failed_event(ClusterState from, Action action, ClusterState before, Phase phase) {
  if (from == ClusterState::dry_run) return dry_run_finished_event(before);
  if (from == ClusterState::queued) return failed_of_cluster_action(action);
  if (from == ClusterState::canceling) {
    const bool builds = action == Action::deploy || action == Action::upgrade;
    if (builds && phase == Phase::building) return ClusterEvent::failed_building;
    return failed_of_cluster_action(action);
  }
  return ClusterEvent::failed;
}

std::optional<ServiceEvent> finished_anyway_event(Action action, Outcome outcome, Phase phase) {
  const bool building = action == Action::deploy && phase == Phase::building;
  if (outcome == Outcome::failed) {
    if (building) return ServiceEvent::failed_building;
    return failed_of_action(action);
  }
  if (building) return ServiceEvent::canceled;
  switch (action) {
    case Action::none:
    case Action::dry_run:
    case Action::upgrade:
      return std::nullopt;
    case Action::deploy:
      return ServiceEvent::finished_anyway_deployed;
    case Action::restart:
      return ServiceEvent::finished_anyway_restarted;
    case Action::stop:
      return ServiceEvent::finished_anyway_stopped;
    case Action::remove:
      return ServiceEvent::finished_anyway_deleted;
    case Action::uninstall:
      return ServiceEvent::finished_anyway_uninstalled;
  }
  return std::nullopt;
}

std::optional<ClusterEvent> dry_run_finished_event(ClusterState before) {
  switch (before) {
    case ClusterState::ready:
      return ClusterEvent::dry_run_finished_ready;
    case ClusterState::queued:
      return ClusterEvent::dry_run_finished_queued;
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
      return std::nullopt;
    case ClusterState::deployed:
      return ClusterEvent::dry_run_finished_deployed;
    case ClusterState::restarted:
      return ClusterEvent::dry_run_finished_restarted;
    case ClusterState::stopped:
      return ClusterEvent::dry_run_finished_stopped;
    case ClusterState::deleted:
      return ClusterEvent::dry_run_finished_deleted;
    case ClusterState::canceled:
      return ClusterEvent::dry_run_finished_canceled;
    case ClusterState::invalid_credentials:
      return ClusterEvent::dry_run_finished_invalid_credentials;
    case ClusterState::build_error:
      return ClusterEvent::dry_run_finished_build_error;
    case ClusterState::deployment_error:
      return ClusterEvent::dry_run_finished_deployment_error;
    case ClusterState::restart_error:
      return ClusterEvent::dry_run_finished_restart_error;
    case ClusterState::stop_error:
      return ClusterEvent::dry_run_finished_stop_error;
    case ClusterState::delete_error:
      return ClusterEvent::dry_run_finished_delete_error;
  }
  return std::nullopt;
}

Action action_of(ServiceState state) {
  switch (state) {
    case ServiceState::ready:
    case ServiceState::queued:
    case ServiceState::canceling:
    case ServiceState::canceled:
    case ServiceState::unavailable:
      return Action::none;
    case ServiceState::deployment_queued:
    case ServiceState::waiting_running:
    case ServiceState::building:
    case ServiceState::deploying:
    case ServiceState::executing:
    case ServiceState::recap:
    case ServiceState::deployed:
    case ServiceState::build_error:
    case ServiceState::deployment_error:
      return Action::deploy;
    case ServiceState::restart_queued:
    case ServiceState::waiting_restarting:
    case ServiceState::restarting:
    case ServiceState::restarted:
    case ServiceState::restart_error:
      return Action::restart;
    case ServiceState::stop_queued:
    case ServiceState::waiting_stopping:
    case ServiceState::stopping:
    case ServiceState::stopped:
    case ServiceState::stop_error:
      return Action::stop;
    case ServiceState::delete_queued:
    case ServiceState::waiting_deleting:
    case ServiceState::deleting:
    case ServiceState::deleted:
    case ServiceState::delete_error:
      return Action::remove;
  }
  return Action::none;
}

Action action_of(ClusterState state) {
  switch (state) {
    case ClusterState::ready:
    case ClusterState::queued:
    case ClusterState::canceling:
    case ClusterState::canceled:
    case ClusterState::invalid_credentials:
      return Action::none;
    case ClusterState::deployment_queued:
    case ClusterState::building:
    case ClusterState::deploying:
    case ClusterState::deployed:
    case ClusterState::build_error:
    case ClusterState::deployment_error:
      return Action::deploy;
    case ClusterState::dry_run:
      return Action::dry_run;
    case ClusterState::restart_queued:
    case ClusterState::restarting:
    case ClusterState::restarted:
    case ClusterState::restart_error:
      return Action::restart;
    case ClusterState::stop_queued:
    case ClusterState::stopping:
    case ClusterState::stopped:
    case ClusterState::stop_error:
      return Action::stop;
    case ClusterState::delete_queued:
    case ClusterState::deleting:
    case ClusterState::deleted:
    case ClusterState::delete_error:
      return Action::remove;
  }
  return Action::none;
}

ServiceState queued_state(Action action) {
  switch (action) {
    case Action::none:
      return ServiceState::ready;
    case Action::deploy:
    case Action::dry_run:
    case Action::upgrade:
      return ServiceState::deployment_queued;
    case Action::restart:
      return ServiceState::restart_queued;
    case Action::stop:
      return ServiceState::stop_queued;
    case Action::remove:
    case Action::uninstall:
      return ServiceState::delete_queued;
  }
  return ServiceState::ready;
}

ServiceState running_state(Action action) {
  switch (action) {
    case Action::none:
      return ServiceState::ready;
    case Action::deploy:
    case Action::dry_run:
    case Action::upgrade:
      return ServiceState::deploying;
    case Action::restart:
      return ServiceState::restarting;
    case Action::stop:
      return ServiceState::stopping;
    case Action::remove:
    case Action::uninstall:
      return ServiceState::deleting;
  }
  return ServiceState::ready;
}

ServiceState error_state(Action action) {
  switch (action) {
    case Action::none:
      return ServiceState::ready;
    case Action::deploy:
    case Action::dry_run:
    case Action::upgrade:
      return ServiceState::deployment_error;
    case Action::restart:
      return ServiceState::restart_error;
    case Action::stop:
      return ServiceState::stop_error;
    case Action::remove:
    case Action::uninstall:
      return ServiceState::delete_error;
  }
  return ServiceState::ready;
}

}  // namespace orlop
