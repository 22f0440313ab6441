// Conditions on how old the records are that a step uses: credentials, registries and tokens expire.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"

namespace orlop {

struct AgeCondition {
  enum class Of : std::uint8_t {
    credentials,  // of the cluster, since they were last written
    references,   // any to which the subject refers, such as a registry or a git token, since it was last written
    environment,  // since it was created
  };
  Of of = Of::credentials;
  Duration least;
};

// Reads {"credentials": "12h"}; `path` begins messages. Error invalid.
Result<std::vector<AgeCondition>> read_ages(const Value& given, const std::string& path);

// Reports whether the record is that old at `now`; false if the step does not use it.
bool is_as_old(const AgeCondition& condition, const Value& configuration, Instant now);

}  // namespace orlop
