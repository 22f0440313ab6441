// Pictures of the state machines, drawn from their rows. Text only; the same rows give the same bytes. Services and
// clusters have rows; an environment's state is derived from its services', so that there is nothing to draw: "".
#pragma once

#include <string>

#include "model/family.h"

namespace orlop {

// A Mermaid stateDiagram-v2: one arrow for each pair of states, labelled with its events.
std::string mermaid(MachineKind kind);

// The same for Graphviz: states that are passed through are dashed, errors red.
std::string dot(MachineKind kind);

// The rows as a table in Markdown: event, from, to.
std::string markdown(MachineKind kind);

}  // namespace orlop
