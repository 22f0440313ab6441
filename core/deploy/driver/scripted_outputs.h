// What a scripted step gives when its rule names no outputs: for a cluster that is made, what its cloud provider would say of it.
#pragma once

#include <string>

#include "deploy/driver/driver.h"

namespace orlop {

// Whether scripted_outputs() looks at the configuration of the step that this row runs.
bool needs_configuration(const Machine& subject);

// JSON text of InfrastructureOutputs; "" for every other step, and for clusters whose provider gives none.
std::string scripted_outputs(const Step& step);

}  // namespace orlop
