// The retry schedule of the Standard Webhooks specification.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/instant.h"

namespace orlop {

inline constexpr std::array retry_delays = {seconds(5),         seconds(5 * 60),    seconds(30 * 60),
                                            seconds(2 * 3600),  seconds(5 * 3600),  seconds(10 * 3600),
                                            seconds(14 * 3600), seconds(20 * 3600), seconds(24 * 3600)};

// Returns the delay after the failed attempt of this number (from 1); nullopt after the last one.
constexpr std::optional<Duration> retry_delay(std::uint32_t attempt) {
  if (attempt == 0 || attempt > retry_delays.size()) return std::nullopt;
  return retry_delays[attempt - 1];
}

// Time after which an attempt without a report of the webhook sender has failed.
inline constexpr Duration answer_time_max = seconds(120);

constexpr bool is_success(std::uint16_t status) { return status >= 200 && status <= 299; }
// HTTP status with which a receiver refuses further messages.
inline constexpr std::uint16_t status_gone = 410;

}  // namespace orlop
