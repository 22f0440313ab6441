// The shape of an observation, in records and in answers.
#pragma once

#include "model/field.h"

namespace orlop {

inline constexpr Field observed_instances_fields[] = {
    integer("wanted", "Number of instances that the driver has asked for, 0 or more.").at_least(0),
    integer("ready", "Number of instances that are ready, 0 or more.").at_least(0),
    integer("failing", "Number of instances that fail, 0 or more.").at_least(0),
};
inline constexpr Shape observed_instances = {.name = "ObservedInstances", .fields = observed_instances_fields};

inline constexpr Field observation_fields[] = {
    object("instances", observed_instances, "Instances of the workload. Absent: the driver does not count them."),
    integer("restarts", "Number of restarts of its instances since they were made, 0 or more.").at_least(0),
    integer("last_exit_code", "Exit code of the instance that ended last. Absent: none has ended."),
    text("reason", "Reason of the running state, as the system that runs the workload gives it.").at_most(4096),
    date_time("since", "Time since which the workload has its running state, in UTC."),
};
inline constexpr Shape observation = {.name = "Observation", .fields = observation_fields};

}  // namespace orlop
