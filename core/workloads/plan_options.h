// Options of a container plan.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace orlop {

struct PlanOptions {
  std::string brand;
  std::string event;            // of a job: "on_start", "on_stop", "on_delete" or "cronjob"; "": the first that it has
  std::string publish_address;  // address of the host for ports that only this machine reaches
  std::string public_address;   // the same for databases that are PUBLIC
  std::string cpu_limit;        // "none": `cpu` is a weight; "equal": `cpu` is also the limit
  std::string log_size_max;     // of one log file, as Docker writes sizes: "10m"
  std::int64_t log_files_max = 0;
  bool allow_host_access = false;  // host paths, privileges and builds of folders of the machine are allowed
  Value ulimits;                   // list of {"Name", "Soft", "Hard"}; null: those of the container engine
  Value images;                    // by type of database: a reference with "{version}"
};

// Reads JSON text; "" is "{}". Absent members get their defaults. Error invalid: names the member, the given value and
// what is allowed.
Result<PlanOptions> read_plan_options(std::string_view text);

}  // namespace orlop
