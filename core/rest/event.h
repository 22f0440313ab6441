// Events as JSON, in the words that people and programs see.
#pragma once

#include "store/store.h"
#include "wire/writer.h"

namespace orlop {

// "service.deployed", "cluster.deploying", "container.created", "deployment.started", "step.log" …
std::string kind_of(const Event& event);

// One object: sequence, at, kind, family, subject, owner, organization, request, from, to, revision, author, detail. Members that do not apply are left out.
void write_event(Writer& out, const Event& event);

}  // namespace orlop
