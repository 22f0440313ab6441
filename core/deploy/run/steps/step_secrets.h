// External secrets in the configuration of a step: a secret manager gives their values when the step is offered to the
// driver, and only the driver gets them.
#pragma once

#include "base/port.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "deploy/run/steps/report_masks.h"

namespace orlop {

// Reports whether the step names external secrets that the external systems resolve; else the driver gets their names.
bool has_external_secrets(const Step& step, const ExternalSystems* systems);

// Replaces the names by the values; call without an open transaction. Errors: try_later if the external systems fail;
// external_failed, by which the step fails, if they answer and a secret is missing.
Result<void> resolve_secrets(Step& step, ExternalSystems& systems);

// Starts the step, with the values in the driver's copy only, and masks its secrets in its reports. Errors: those of
// resolve_secrets() and of Driver::start().
Result<void> start_with_secrets(Driver& driver, const Step& step, ExternalSystems* systems, ReportMasks& masks);

}  // namespace orlop
