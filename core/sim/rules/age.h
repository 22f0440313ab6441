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
    credentials,  // those of the cluster, since they were last written
    references,   // any record that the subject names, such as a registry or a git token; the same
    environment,  // since it was created
  };
  Of of = Of::credentials;
  Duration least;
};

// {"credentials": "12h"}; `path` begins messages. Error invalid.
Result<std::vector<AgeCondition>> read_ages(const Value& given, const std::string& path);

// Whether the record is that old at `now`. One that the step does not use is not.
bool is_as_old(const AgeCondition& condition, const Value& configuration, Instant now);

}  // namespace orlop
