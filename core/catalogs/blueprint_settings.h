// Settings of blueprints, in records and requests.
#pragma once

#include <string_view>

#include "base/brand.h"
#include "model/field.h"

namespace orlop::blueprint_shapes {

inline constexpr std::string_view service_types[] = {"HELM", "TERRAFORM"};
inline constexpr std::string_view credential_sources[] = {"cluster", "env"};
inline constexpr std::string_view backends[] = {branded_names::word, "user_provided"};

inline constexpr Field spec_override_fields[] = {
    text("engine_version", "Version of the tool that deploys the blueprint. Absent: the blueprint's own.")
        .at_least(1)
        .at_most(64),
    enumeration("credentials", credential_sources,
                "Credentials of Terraform at the cloud provider: those of the cluster, or variables of the environment "
                "(`env`). Absent: `cluster`."),
    enumeration("backend", backends,
                "Backend of the Terraform state: the platform's, or the one in the files (`user_provided`). Absent: "
                "`{brand}`."),
    integer("timeout", "Time after which a run fails, in seconds, 1 to 86400. Absent: the blueprint's own.")
        .at_least(1)
        .at_most(86'400),
    text("cpu", "CPU of a run in thousandths of a core, as in `500`. Absent: the blueprint's own.")
        .at_least(1)
        .at_most(6),
    text("ram", "Memory of a run in MiB, as in `512`. Absent: the blueprint's own.").at_least(1).at_most(6),
    text("storage", "Disk of a run in GiB, as in `1`. Absent: the blueprint's own.").at_least(1).at_most(6),
};
inline constexpr Shape spec_overrides{.name = "BlueprintSpecOverrides", .fields = spec_override_fields};

}  // namespace orlop::blueprint_shapes
