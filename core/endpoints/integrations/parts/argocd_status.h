// Status of a service that Argo CD manages: a pure function of the server's answer about the application.
#pragma once

#include <optional>
#include <string>

#include "base/instant.h"
#include "lifecycle/state.h"
#include "model/value.h"

namespace orlop {

struct ApplicationStatus {
  ServiceState state = ServiceState::ready;
  RunningState running = RunningState::none;
  Freshness freshness = Freshness::never_deployed;
  std::optional<Instant> synced_at;
  std::string reason;  // reason of DEPLOYMENT_ERROR
};

// `application`: an item of the answer to the question list_argocd_applications.
ApplicationStatus status_of(const Value& application);

}  // namespace orlop
