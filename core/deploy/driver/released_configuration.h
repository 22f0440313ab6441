// The configurations that a roll-back deploys, and that a deployment would deploy now.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "deploy/driver/secret_values.h"
#include "releases/release_records.h"
#include "unit/unit.h"

namespace orlop {

// Member of a request's overrides: number of the release that the service is rolled back to.
inline constexpr std::string_view rollback_name = "rollback_of";

// Replaces the part of a configuration that a release keeps by that of the release, with its secrets, and adds these to
// `secrets`. The commit is the one that the release deployed. Errors: those of configuration_of_release().
Result<std::string> rolled_back(Unit& unit, const Id& subject, std::uint32_t release, const std::string& configuration,
                                SecretValues& secrets);

// Returns what a deployment of the service would be given now. Outputs of jobs are those of the newest release. Error
// invalid: the variables cannot be resolved.
Result<StepConfiguration> wanted_configuration(Unit& unit, const Record& service);

}  // namespace orlop
