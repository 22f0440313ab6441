// A consumer of the feed that has registered a name.
#pragma once

#include <cstdint>
#include <string>

#include "base/instant.h"

namespace orlop {

struct EventConsumer {
  std::string name;
  std::uint64_t acknowledged = 0;  // number of the last acknowledged event; 0: none
  Instant acknowledged_at;
};

}  // namespace orlop
