// Automatic deployments: services with `auto_deploy` are deployed at a new version of their source.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/family.h"
#include "model/value.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// New version of an image or of a branch.
struct NewVersion {
  std::uint8_t kinds = 0;           // kinds of services that can have it: bits of ServiceKind
  bool is_of_previews = false;      // includes preview environments
  std::string_view origin = "API";  // origin of the deployment requests
  // Returns the body with which a service is deployed; nullopt if the version does not concern it. `service`: its
  // answer.
  std::function<Result<std::optional<Value>>(const Record& record, const Value& service)> body_for;
  std::string nowhere;  // message if it concerns no service
};

// Deploys the services of the organization that the version concerns. A service with a running action is deployed after
// it; of several waiting versions, the newest. A service that is stopped by the hours of its environment is deployed
// when they begin. Services that a caller has stopped or uninstalled, or has requested to, do not change, nor do those
// on a cluster that is not deployed. Returns the status of the first service, and the services without a queued
// deployment, with reasons. Errors: not_found (the version concerns no service), conflict (none of them can be
// deployed, now or later).
Result<Answer> deploy_new_version(Unit& unit, const Call& call, const NewVersion& version);

// Reports whether a commit that changes these files deploys a service with these deployment restrictions. Pure.
bool lets_through(std::span<const Value> restrictions, std::span<const Value> changed_files);

// Reports whether two URLs are of the same git repository: ignores case, scheme, user name, ".git" and a final slash.
// Pure.
bool is_same_repository(std::string_view url, std::string_view other);

}  // namespace orlop
