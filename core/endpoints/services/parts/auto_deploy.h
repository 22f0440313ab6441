// Automatic deployments: services that have `auto_deploy` set are deployed at a new version of their source.
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

// A new version of an image or of a branch.
struct NewVersion {
  std::uint8_t kinds = 0;           // of services that may have it: bits of ServiceKind
  bool is_of_previews = false;      // it concerns preview environments too
  std::string_view origin = "API";  // of the deployment requests
  // The body with which a service is deployed; nothing: the version does not concern it. `service` is its answer.
  std::function<Result<std::optional<Value>>(const Record& record, const Value& service)> body_for;
  std::string nowhere;  // message where it concerns no service
};

// Deploys the services of the organization that the version concerns. A service that is under way is deployed after
// that; of several versions that wait, the newest. One that the hours of its environment have stopped is deployed when
// they begin. A service that a caller has stopped, uninstalled or is about to, stays as it is, and so does one on a
// cluster that is not there. Returns the status of the first service, and with it the services for which none is
// queued, and why. Errors: not_found (the version concerns no service), conflict (none of them can be deployed, now or
// later).
Result<Answer> deploy_new_version(Unit& unit, const Call& call, const NewVersion& version);

// Whether a commit that changes these files deploys a service with these deployment restrictions. Pure.
bool lets_through(std::span<const Value> restrictions, std::span<const Value> changed_files);

// Whether two addresses name the same git repository: without regard to case, scheme, user name, ".git" and a final
// slash. Pure.
bool is_same_repository(std::string_view url, std::string_view other);

}  // namespace orlop
