// Copies of environments: the same services in the same stages, never deployed.
//
// A small environment is copied in the unit of the request. For a large one that unit makes the environment with its
// stages, and a job below it (records/bulk_jobs/job_parts.h) that lists the present services. The parts of the job copy
// their state at that time; a service that is gone, or whose name has been taken meanwhile, is left out. Until the job
// is done the copy accepts no deployment (deploy/request/enqueue.cpp), and its original cannot be deleted.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "records/bulk_jobs/job_parts.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t copied_at_once_max = 150;        // services of an environment that one commit copies
inline constexpr std::size_t copied_variables_by_part = 300;  // variables of one service or of the environment itself
inline constexpr std::size_t copied_below_at_once_max = 300;  // records below those services, such as variables

// Image of a preview: containers and jobs with this image, another tag and auto_preview are copied with this tag, and
// the copy is deployed. If the deployment rule of the environment has auto_preview, all services with the image are.
struct PreviewImage {
  std::string image;
  std::string tag;
  bool is_of_all = false;  // the environment's rule has auto_preview

  bool is_none() const { return image.empty(); }
  // `service`: body of the service.
  bool concerns(const Family& family, const Value& service) const;
  // Sets the tag and returns true if the preview concerns the service.
  bool set_tag(const Family& family, Value& service) const;
};

struct CloneOptions {
  std::string_view name;
  std::optional<Id> project;  // the source's if absent
  std::optional<Id> cluster;  // the source's if absent
  std::string_view mode;      // the source's if empty
  PreviewImage preview;
};

struct EnvironmentCopy {
  Record environment;
  std::unordered_map<Id, Id> services;  // copies by original; empty while a job copies a large environment
  // Job that copies a large environment, and deploys it if it is a preview; nil: the copy is complete, and not
  // deployed.
  Id job;
};

// Errors: those of create_record.
Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options);

// Returns the copy of this service in an environment: the service of its kind and name; nullopt if none.
Result<std::optional<Id>> copied_service(Unit& unit, const Id& original, const Record& environment);

// Queues the deployment of a complete preview. Errors: those of enqueue.
Result<void> deploy_preview(Unit& unit, const Id& environment);

// Copies the next services of the job.
Result<PartEnd> copy_part(Unit& unit, JobPart job);

}  // namespace orlop
