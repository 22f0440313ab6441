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
  // Whether what is asked at an instant comes before what the engine would do at that instant.
  bool acts_come_first = false;
};

// Fails the test on a line that it does not know.
Script parse_script(std::string_view text);

// Plays it to the end. What was refused, by instant, goes into `refusals`.
void play(Fixture& fixture, const Script& script, std::vector<std::string>& refusals);

std::uint32_t plan_flags_of_family(std::string_view family);

// What people see of it: refusals and events in their order, then where every service came to rest.
std::string transcript(const Script& script);

}  // namespace orlop
