// The services of a request, and which of them allow its action. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "deploy/request/deployment_request.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

// True if an action on the whole environment includes this service: a skipped service is included in a delete only.
bool is_included(const Machine& service, Action action);

// Returns why the service does not allow the action now, as one sentence; empty if it does. `name` is the service's.
std::string refusal_of(const Machine& service, Action action, std::string_view name);
// The same as a bool.
bool can_begin(const Machine& service, Action action);

// True if it was never deployed or is uninstalled: only the record has to be deleted.
bool is_untouched(const Machine& service);

// True if the job has the forced event, or none is forced.
bool has_event(const Machine& service, ForcedEvent forced);

}  // namespace orlop
