// Names of the core's enumerators in the spelling of the core ("cluster_create"); "" for an unknown number.
#pragma once

#include <string_view>

#include "deploy/driver/driver.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

std::string_view enumerator_of(Action action);
std::string_view enumerator_of(Freshness freshness);
std::string_view enumerator_of(RunningState state);
std::string_view enumerator_of(StepKind kind);
std::string_view enumerator_of(ReportKind kind);
std::string_view enumerator_of(CancelMode mode);
std::string_view enumerator_of(EventKind kind);

// Calls `visit` with every enumerator and its name, in the order of their numbers, which fit into a byte.
template <typename Enum, typename Visit>
void for_each_enumerator(Visit visit) {
  for (int number = 0; number <= 255; ++number) {
    const auto value = static_cast<Enum>(number);
    const std::string_view name = enumerator_of(value);
    if (!name.empty()) visit(value, name);
  }
}

}  // namespace orlop
