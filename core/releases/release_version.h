// What a release deployed, for people: the names that its configuration has for image, chart and commit.
#pragma once

#include "model/value.h"

namespace orlop {

// Returns those of these members that the configuration or record of a service has: "image_name", "tag", "chart_name",
// "chart_version", "git_url", "git_branch", "git_commit_id" (deployed, or asked for by the request), "engine" and
// "engine_version" (of a database).
Value version_of(const Value& service);

}  // namespace orlop
