// The default outputs of a scripted step: plausible infrastructure outputs of a cluster's cloud provider, and the
// commit of a build or deploy.
#pragma once

#include <string>

#include "deploy/driver/driver.h"
#include "model/value.h"

namespace orlop {

// Reports whether scripted_outputs() reads the configuration of the step that this row runs.
bool needs_configuration(const Machine& subject);

// Returns JSON text: InfrastructureOutputs of a managed cluster that is created, updated or upgraded, or the commit of
// a build or deploy with a git repository; empty for other steps and providers.
std::string scripted_outputs(const Step& step);

// Members of those outputs that give access to the Kubernetes API of a cluster of any kind, and a token for it.
Value scripted_cluster_access(const Id& cluster);
std::string scripted_cluster_token(const Id& cluster);

}  // namespace orlop
