// State of an alert rule: Machine::state of its machine. Stored and public; numbers are never reused.
#pragma once

#include <cstdint>
#include <string_view>

namespace orlop {

enum class AlertState : std::uint8_t {
  undeployed = 1,            // never evaluated
  ok = 2,                    // its condition does not hold
  triggered = 3,             // it holds, but not long enough yet
  pending_notification = 4,  // it fires; not all receivers have been sent their message
  notified = 5,              // it fires; all receivers have been sent their message
  suppressed = 6,            // the rule is disabled
  unrouted = 7,              // it fires, and no receiver accepts its alerts
};

// Returns the name, as in "PENDING_NOTIFICATION"; empty if the number is not a state.
std::string_view to_string(AlertState state);

// Names of all states, ordered by number.
inline constexpr std::string_view alert_states[] = {"UNDEPLOYED", "OK",         "TRIGGERED", "PENDING_NOTIFICATION",
                                                    "NOTIFIED",   "SUPPRESSED", "UNROUTED"};

}  // namespace orlop
