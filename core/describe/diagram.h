// Pictures of the state machines, drawn from their rows. Text only; the same rows give the same bytes.
#pragma once

#include <cstdint>
#include <string>

namespace orlop {

enum class MachineKind : std::uint8_t { service = 1, cluster = 2 };

// A Mermaid stateDiagram-v2: one arrow for each pair of states, labelled with its events.
std::string mermaid(MachineKind kind);

// The same for Graphviz: states that are passed through are dashed, errors red.
std::string dot(MachineKind kind);

// The rows as a table in Markdown: event, from, to.
std::string markdown(MachineKind kind);

}  // namespace orlop
