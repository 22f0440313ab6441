#include "endpoints/integrations/parts/argocd_status.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace orlop {
namespace {

struct Row {
  std::string_view health;
  ServiceState state;
  RunningState running;
};

constexpr Row rows[] = {
    {"HEALTHY", ServiceState::deployed, RunningState::running},
    {"PROGRESSING", ServiceState::deployed, RunningState::starting},
    {"DEGRADED", ServiceState::deployment_error, RunningState::error},
    {"SUSPENDED", ServiceState::stopped, RunningState::stopped},
    {"MISSING", ServiceState::ready, RunningState::none},
    {"UNKNOWN", ServiceState::deployed, RunningState::unknown},
};

}  // namespace

ApplicationStatus status_of(const Value& application) {
  const auto row = std::ranges::find(rows, application.text_or("health", "UNKNOWN"), &Row::health);
  const Row& found = row == std::end(rows) ? rows[std::size(rows) - 1] : *row;
  ApplicationStatus status;
  status.state = found.state;
  status.running = found.running;
  status.synced_at = parse_instant(application.text_or("last_synced_at", ""));
  if (status.synced_at)
    status.freshness =
        application.text_or("sync_status", "") == "SYNCED" ? Freshness::up_to_date : Freshness::out_of_date;
  if (!status.synced_at && status.state == ServiceState::deployed) status.state = ServiceState::ready;
  if (status.state == ServiceState::deployment_error) status.reason = application.text_or("health_message", "");
  return status;
}

}  // namespace orlop
