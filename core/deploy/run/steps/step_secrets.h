// External secrets in the configuration of a step: their values come from a secret manager when the step is offered to
// the driver, and go nowhere else.
#pragma once

#include "base/port.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "deploy/run/steps/report_masks.h"

namespace orlop {

// Whether the step names external secrets that the external systems resolve. Without them the driver gets their names.
bool has_external_secrets(const Step& step, const ExternalSystems* systems);

// Puts the values in the place of the names; to be called while no transaction is open. Errors: try_later if the
// external systems fail; external_failed, by which the step fails, if they answer and a secret is missing.
Result<void> resolve_secrets(Step& step, ExternalSystems& systems);

// Starts the step, with the values in the driver's copy only. From then on reports of the step show none of its
// secrets. Errors: those of resolve_secrets() and of Driver::start().
Result<void> start_with_secrets(Driver& driver, const Step& step, ExternalSystems* systems, ReportMasks& masks);

}  // namespace orlop
