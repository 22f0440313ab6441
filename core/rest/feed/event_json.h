// Events as JSON with their public names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"
#include "wire/writer.h"

namespace orlop {

// "service.deployed", "cluster.deploying", "container.created", "deployment.started", "step.log" …
std::string kind_of(const Event& event);

// The names of the numbers of an event; "" where there is none. Each ends with a zero.
struct EventNames {
  std::string_view family;  // "container", "cluster", "deployment" …
  std::string_view from;    // "DEPLOYING"
  std::string_view to;
};
EventNames names_of(const Event& event);

// One object: sequence, at, kind, family, subject, owner, organization, request, from, to, revision, author, detail.
// Members that do not apply are left out.
void write_event(Writer& out, const Event& event);
// A list of them.
std::string event_list(const std::vector<Event>& events);

}  // namespace orlop
