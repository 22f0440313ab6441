// Copies of environments: the same services in the same stages, never deployed.
//
// A small environment is copied in the unit that asks for it. Of a large one that unit makes the environment with its
// stages, and a job below it (records/bulk_jobs/job_parts.h), which names the services that there are. The parts of the
// job copy them as they are by then; one that is gone, or whose name was given to another one meanwhile, is left out.
// Until the job is done the copy takes no deployment (deploy/request/enqueue.cpp), and its original cannot be deleted.
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

inline constexpr std::size_t copied_at_once_max = 150;        // services of an environment that is copied in one commit
inline constexpr std::size_t copied_variables_by_part = 300;  // of one service or of the environment itself
inline constexpr std::size_t copied_below_at_once_max = 300;  // and records below them, such as variables

// Of a preview: the containers and jobs with this image and another tag that have auto_preview set, or all of them
// where the deployment rule of the environment has it set, are copied with this tag, and the copy is deployed.
struct PreviewImage {
  std::string image;
  std::string tag;
  bool is_of_all = false;  // the environment has auto_preview set

  bool is_none() const { return image.empty(); }
  // `service`: its body.
  bool concerns(const Family& family, const Value& service) const;
  // Sets the tag where the image concerns the service; true: it does.
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
  std::unordered_map<Id, Id> services;  // the copy by the service that it was made of; of a large one: nothing yet
  // That fills a large one and deploys it if it is a preview; nil: it is complete, and not deployed.
  Id job;
};

// Errors: those of create_record.
Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options);

// The copy of this service in an environment: the one of its kind and name. Nothing: there is none.
Result<std::optional<Id>> copied_service(Unit& unit, const Id& original, const Record& environment);

// Queues the deployment of a preview that is complete. Errors: those of enqueue.
Result<void> deploy_preview(Unit& unit, const Id& environment);

// Copies the next services of the job; true if they were the last ones.
Result<PartEnd> copy_part(Unit& unit, JobPart job);

}  // namespace orlop
