// Events as JSON, with their public names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"
#include "wire/writer.h"

namespace orlop {

// Returns the kind, such as "service.deployed", "cluster.deploying", "container.created", "step.log".
std::string kind_of(const Event& event);

// Names of the numbers of an event; "" for a number without a name. Each ends in a zero.
struct EventNames {
  std::string_view family;  // "container", "cluster", "deployment" …
  std::string_view from;    // "DEPLOYING"
  std::string_view to;
};
EventNames names_of(const Event& event);

// Writes one object: sequence, at, kind, family, subject, owner, organization, request, from, to, revision, author,
// detail. Members that do not apply are left out.
void write_event(Writer& out, const Event& event);
// Returns a JSON array of events.
std::string event_list(const std::vector<Event>& events);

}  // namespace orlop
