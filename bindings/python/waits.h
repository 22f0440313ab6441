// Waits with timeouts in seconds.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "call.h"
#include "orlop/orlop.hpp"

namespace orlop_python {

inline constexpr orlop::Duration signals_seen_after{200};

inline orlop::Duration duration_of(double seconds) {
  return orlop::Duration(static_cast<std::int64_t>(seconds * 1000.0 + 0.999));
}

// Drains in parts and handles signals between them: Ctrl-C ends the wait, and the next call continues the drain. The
// GIL must be held.
inline bool drain_in_parts(orlop::Engine& engine, std::optional<double> seconds) {
  orlop::Duration left = seconds ? duration_of(*seconds) : orlop::Duration::max();
  while (left > signals_seen_after) {
    const auto begin = std::chrono::steady_clock::now();
    if (call([&] { return engine.begin_drain(signals_seen_after); })) return true;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (seconds) left -= std::chrono::ceil<orlop::Duration>(std::chrono::steady_clock::now() - begin);
  }
  return call([&] { return engine.drain(std::max(left, orlop::Duration(0))); });
}

}  // namespace orlop_python
