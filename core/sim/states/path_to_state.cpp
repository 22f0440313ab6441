#include "sim/states/path_to_state.h"

#include "model/plan_flag.h"

namespace orlop {

StateRoute route_to(ServiceState state) {
  using enum RouteStop;
  switch (state) {
    case ServiceState::ready: return {Action::uninstall, succeeded};
    case ServiceState::queued: return {Action::deploy, held};
    case ServiceState::deployment_queued: return {Action::deploy, queued};
    case ServiceState::waiting_running: return {Action::deploy, waiting};
    case ServiceState::building: return {Action::deploy, building};
    case ServiceState::deploying: return {Action::deploy, begun};
    case ServiceState::executing: return {Action::deploy, executing};
    case ServiceState::recap: return {Action::deploy, recap};
    case ServiceState::deployed: return {Action::deploy, succeeded};
    case ServiceState::restart_queued: return {Action::restart, queued};
    case ServiceState::waiting_restarting: return {Action::restart, waiting};
    case ServiceState::restarting: return {Action::restart, begun};
    case ServiceState::restarted: return {Action::restart, succeeded};
    case ServiceState::stop_queued: return {Action::stop, queued};
    case ServiceState::waiting_stopping: return {Action::stop, waiting};
    case ServiceState::stopping: return {Action::stop, begun};
    case ServiceState::stopped: return {Action::stop, succeeded};
    case ServiceState::delete_queued: return {Action::remove, queued};
    case ServiceState::waiting_deleting: return {Action::remove, waiting};
    case ServiceState::deleting: return {Action::remove, begun};
    case ServiceState::deleted: return {Action::remove, succeeded};
    case ServiceState::canceling: return {Action::deploy, canceling};
    case ServiceState::canceled: return {Action::deploy, canceled};
    case ServiceState::unavailable: return {Action::deploy, contact_lost};
    case ServiceState::build_error: return {Action::deploy, build_failed};
    case ServiceState::deployment_error: return {Action::deploy, failed};
    case ServiceState::restart_error: return {Action::restart, failed};
    case ServiceState::stop_error: return {Action::stop, failed};
    case ServiceState::delete_error: return {Action::remove, failed};
  }
  return {};
}

StateRoute route_to(ClusterState state) {
  using enum RouteStop;
  switch (state) {
    case ClusterState::ready: return {};
    case ClusterState::queued: return {Action::deploy, held};
    case ClusterState::deployment_queued: return {Action::deploy, waiting};
    case ClusterState::dry_run: return {Action::dry_run, waiting};
    case ClusterState::building: return {Action::deploy, building};
    case ClusterState::deploying: return {Action::deploy, begun};
    case ClusterState::deployed: return {Action::deploy, succeeded};
    case ClusterState::restart_queued: return {Action::restart, waiting};
    case ClusterState::restarting: return {Action::restart, begun};
    case ClusterState::restarted: return {Action::restart, succeeded};
    case ClusterState::stop_queued: return {Action::stop, waiting};
    case ClusterState::stopping: return {Action::stop, begun};
    case ClusterState::stopped: return {Action::stop, succeeded};
    case ClusterState::delete_queued: return {Action::remove, waiting};
    case ClusterState::deleting: return {Action::remove, begun};
    case ClusterState::deleted: return {Action::remove, succeeded};
    case ClusterState::canceling: return {Action::deploy, canceling};
    case ClusterState::canceled: return {Action::deploy, canceled};
    case ClusterState::invalid_credentials: return {Action::deploy, refused};
    case ClusterState::build_error: return {Action::deploy, build_failed};
    case ClusterState::deployment_error: return {Action::deploy, failed};
    case ClusterState::restart_error: return {Action::restart, failed};
    case ClusterState::stop_error: return {Action::stop, failed};
    case ClusterState::delete_error: return {Action::remove, failed};
  }
  return {};
}

std::string_view rule_of(RouteStop stop) {
  switch (stop) {
    case RouteStop::waiting: return R"({"delay":0,"after":0,"hold":"start"})";
    case RouteStop::building: return R"({"delay":0,"after":0,"build":0,"hold":"begin"})";
    case RouteStop::begun: return R"({"delay":0,"after":0,"hold":"begin"})";
    case RouteStop::executing: return R"({"delay":0,"after":0,"hold":"end"})";
    case RouteStop::recap: return R"({"delay":0,"after":0,"recap_after":0,"hold":"end"})";
    case RouteStop::contact_lost: return R"({"delay":0,"after":0,"contact_lost_after":0,"hold":"end"})";
    case RouteStop::canceling: return R"({"delay":0,"after":0,"hold":"cancel"})";
    case RouteStop::failed: return R"({"delay":0,"after":0,"hold":"none","fails":"the state was set"})";
    case RouteStop::build_failed:
      return R"({"delay":0,"after":0,"build":"1ms","hold":"none","fails":"the state was set"})";
    case RouteStop::refused:
      return R"({"delay":0,"after":0,"hold":"none","outcome":"credentials_refused","fails":"the state was set"})";
    case RouteStop::held:
    case RouteStop::queued:
    case RouteStop::canceled:
    case RouteStop::succeeded: break;
  }
  return R"({"delay":0,"after":0,"hold":"none"})";
}

std::string_view refusal_of(const Machine& service, ServiceState state) {
  const StateRoute route = route_to(state);
  if (stops_at_build(route.stop) && !has(service.plan_flags, PlanFlag::builds))
    return "it is not built: only services from a git repository are";
  if (route.stop == RouteStop::executing && !has(service.plan_flags, PlanFlag::executes))
    return "it is not a job: only jobs are executed";
  if (route.action == Action::restart && !has(service.plan_flags, PlanFlag::restartable))
    return "services of its family are not restarted";
  if (route.action == Action::stop && !has(service.plan_flags, PlanFlag::stoppable))
    return "services of its family are not stopped";
  return "";
}

std::string_view refusal_of(const Machine& cluster, ClusterState state) {
  if (state == ClusterState::ready && static_cast<ClusterState>(cluster.state) != ClusterState::ready)
    return "a cluster is READY until its first request only";
  if (route_to(state).action == Action::stop && !has(cluster.plan_flags, PlanFlag::stoppable))
    return "a cluster on GCP or AZURE, or a PARTIALLY_MANAGED one, cannot be stopped";
  return "";
}

}  // namespace orlop
