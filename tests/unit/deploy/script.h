// A scenario as text: services, the driver's rules, settings, and the requests with their times. See
// tests/transcripts/deploy.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unit/deploy/fixture.h"

namespace orlop {

struct Script {
  FixtureOptions options;
  struct Service {
    std::string name;
    std::string family;
    std::uint32_t plan_flags = 0;
    int stage = 0;
  };
  std::vector<Service> services;
  struct Act {
    Instant at;
    std::vector<std::string> tokens;
  };
  std::vector<Act> acts;
  // Whether the acts of an instant come before the engine's work at that instant.
  bool acts_come_first = false;
};

// Fails the test at an unknown line.
Script parse_script(std::string_view text);

// Plays the script to the end. Adds refused acts, in order, to `refusals`.
void play(Fixture& fixture, const Script& script, std::vector<std::string>& refusals);

std::uint32_t plan_flags_of_family(std::string_view family);

// Returns refusals and events in order, then the final state of every service, as text.
std::string transcript(const Script& script);

}  // namespace orlop
