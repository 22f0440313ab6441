// The stages of a deployment request with their services, in internal records of the engine.
#pragma once

#include "families/shapes/shared_enumerations.h"
#include "model/family.h"

namespace orlop::shapes {

inline constexpr Field request_service_fields[] = {
    uuid("id", "ID of the service."),
    uuid("stage_id", "ID of the service's deployment stage, in entries of `planned`."),
    integer("stage_order", "Position of the service's deployment stage, in entries of `planned`."),
    text("name", "Name of the service when the request ended."),
    open_object("deployed",
                "Members of the service's record that say what was deployed. Null: not known. Absent: those of the "
                "entry before.")
        .nullable(),
    enumeration("service_type", service_kinds, "Kind of the service. Absent: that of the entry before."),
    text("status", "State of the service when the request ended. Absent: that of the entry before."),
    text("reason", "Reason of the failure. Absent: none."),
    date_time("started_at",
              "Time at which the action on the service started, in UTC. Absent: that of the entry before.")
        .nullable(),
    integer("took", "Milliseconds from `started_at` to the end of the action."),
    date_time("ended_at", "Time at which the action on the service ended, in UTC, in entries without `took`.")
        .nullable(),
};
inline constexpr Shape request_service{.name = "DeploymentRecordService", .fields = request_service_fields};

inline constexpr Field request_stage_fields[] = {
    uuid("stage_id", "ID of the deployment stage."),
    integer("stage_order", "Position of the deployment stage when the request started."),
    list_of("services", request_service, "Services of the stage that the request acted on."),
};
inline constexpr Shape request_stage{.name = "DeploymentRecordStage", .fields = request_stage_fields};

}  // namespace orlop::shapes
