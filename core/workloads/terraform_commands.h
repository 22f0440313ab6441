// The commands of a Terraform service.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "workloads/workload.h"

namespace orlop {

// Returns {"program", "version", "source", "variables", "environment", "arguments", "actions", "timeout_seconds"}: the
// program is "terraform" or "tofu", "actions" has a list of commands for each action, and each command is a list of
// arguments. Values of variables are in the environment ("TF_VAR_name"), because arguments are seen by every process of
// the machine. Error invalid: the service has no git repository.
Result<Value> terraform_commands(const Workload& workload);

}  // namespace orlop
