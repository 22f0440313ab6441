// Diagrams of the state machines as text, from their transition rows. The same rows give the same bytes. Services and
// clusters have rows. Environments have none, because their state is derived from their services: their diagram is "".
#pragma once

#include <string>

#include "model/family.h"

namespace orlop {

// Returns a Mermaid stateDiagram-v2: one arrow for each pair of states, labelled with its events.
std::string mermaid(MachineKind kind);

// Returns a Graphviz diagram: transient states are dashed, error states red.
std::string dot(MachineKind kind);

// Returns the rows as a Markdown table: event, from, to.
std::string markdown(MachineKind kind);

}  // namespace orlop
