// Which services an order concerns, and which of them can go. Pure.
#pragma once

#include <string>
#include <string_view>

#include "deploy/request/request.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

// Whether the whole environment takes this service along: a skipped one is deleted with it, and left out of all else.
bool is_included(const Machine& service, Action action);

// Why the service cannot begin the action now, as a sentence for a person; "" if it can. `name` is the service's.
std::string refusal_of(const Machine& service, Action action, std::string_view name);
// The same without the words.
bool can_begin(const Machine& service, Action action);

// Nothing of it was ever made, or all was unmade: there is nothing to delete but the record.
bool is_untouched(const Machine& service);

// Whether the job has the event that is forced; true for none.
bool has_event(const Machine& service, ForcedEvent forced);

}  // namespace orlop
