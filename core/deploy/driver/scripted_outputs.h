// The default outputs of a scripted step: for the creation of a cluster, plausible infrastructure outputs of its cloud
// provider.
#pragma once

#include <string>

#include "deploy/driver/driver.h"
#include "model/value.h"

namespace orlop {

// Whether scripted_outputs() looks at the configuration of the step that this row runs.
bool needs_configuration(const Machine& subject);

// JSON text of InfrastructureOutputs; "" for every other step, and for clusters whose provider gives none.
std::string scripted_outputs(const Step& step);

// The members of those outputs that lead to the Kubernetes API of a cluster, of any kind; a token for it.
Value scripted_cluster_access(const Id& cluster);
std::string scripted_cluster_token(const Id& cluster);

}  // namespace orlop
