// The default outputs of a scripted step: for the creation of a cluster, plausible infrastructure outputs of its cloud provider.
#pragma once

#include <string>

#include "deploy/driver/driver.h"

namespace orlop {

// Whether scripted_outputs() looks at the configuration of the step that this row runs.
bool needs_configuration(const Machine& subject);

// JSON text of InfrastructureOutputs; "" for every other step, and for clusters whose provider gives none.
std::string scripted_outputs(const Step& step);

}  // namespace orlop
