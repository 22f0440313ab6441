// The image of a workload: a reference to a registry with its credentials, or the source that it is built from.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "workloads/workload.h"

namespace orlop {

struct PlannedImage {
  Value image;  // {"reference", "pull", "platform", "credentials"}; null if it is built
  Value build;  // source and arguments; null if it is pulled
};

// Error invalid: the service has no image and no source, or the version of a database is missing.
Result<PlannedImage> image_of(Workload& workload);

// Returns the git repository that the workload is built or run from, with the access to it; null if `repository` is.
Value git_source_of(const Workload& workload, const Value* repository);

}  // namespace orlop
