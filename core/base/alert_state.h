// Where an alert rule stands: Machine::state of its machine. Stored and public; numbers are never reused.
#pragma once

#include <cstdint>
#include <string_view>

namespace orlop {

enum class AlertState : std::uint8_t {
  undeployed = 1,            // never evaluated
  ok = 2,                    // its condition does not hold
  triggered = 3,             // it holds, but not for long enough
  pending_notification = 4,  // it fires, and receivers have not been sent their message yet
  notified = 5,              // it fires, and all receivers have been sent their message
  suppressed = 6,            // it is not enabled
  unrouted = 7,              // it fires, and no receiver takes its alerts
};

// "PENDING_NOTIFICATION"; "" for a number that is no state.
std::string_view to_string(AlertState state);

// The names of all states, in the order of their numbers.
inline constexpr std::string_view alert_states[] = {"UNDEPLOYED", "OK",         "TRIGGERED", "PENDING_NOTIFICATION",
                                                    "NOTIFIED",   "SUPPRESSED", "UNROUTED"};

}  // namespace orlop
