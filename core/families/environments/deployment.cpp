// A deployment request: an action on an environment or some of its services. Its machine has its position in the queue
// of its environment.
#include "base/family_number.h"
#include "families/shapes/request_stages.h"
#include "model/family.h"

namespace orlop::families::deployment {
namespace {

using namespace shapes;

constexpr std::string_view actions[] = {"DEPLOY", "RESTART", "STOP", "DELETE"};
constexpr std::string_view forced_events[] = {"START", "STOP", "DELETE", "CRON"};
constexpr std::string_view cancel_modes[] = {"FORCE", "INTERRUPTIBLE"};

// Layout 4 of the store wrote null for members without a value; today they are omitted.
constexpr Field fields[] = {
    uuid("id", "ID of the deployment request."),
    parent_id("environment_id", "ID of the environment."),
    date_time("created_at", "Time at which the request was made, in UTC."),
    enumeration("action", actions, "Action on the services. An uninstall has the action DELETE."),
    boolean("uninstall", "True if the action deletes the resources and keeps the configuration. Absent: false."),
    text("origin", "Component that sent the request, such as API or CONSOLE."),
    text("triggered_by", "Name of the caller that made the request."),
    text("execution_id", "ID of the execution: the ID of the request, a hyphen, and its time in seconds since 1970."),
    boolean("whole_environment", "True if the request acts on all services of the environment. Absent: false."),
    list_of("services", FieldKind::id, "IDs of the services of a selection, ascending."),
    list_of("following", FieldKind::id,
            "IDs of the services that another request still held when this one was made. They are queued when this one "
            "starts."),
    boolean("has_rows",
            "True if the services of a selection are those whose machines name this request. Absent: they are those of "
            "`services`."),
    boolean("has_following_rows",
            "True if the services whose machines have the number of this request follow as well. Absent: none does."),
    list_of("queuing", FieldKind::id, "IDs of the services that later commits queue. Absent: all are queued."),
    open_object("overrides", "Values that replace those of the configuration for this request, by ID of the service."),
    enumeration("forced_event", forced_events, "Event of jobs that runs instead of that of the action. Absent: none.")
        .nullable(),
    enumeration("cancel", cancel_modes, "Mode of the cancellation that was requested. Absent: none.").nullable(),
    date_time("started_at", "Time at which the request started, in UTC. Absent: it waits.").nullable(),
    date_time("ended_at", "Time at which the request ended, in UTC. Absent: it has not ended.").nullable(),
    text("status", "State of the environment after the request, such as DEPLOYED. Absent: it has not ended.")
        .nullable(),
    text("reason", "Reason why no service could take the action when the request started. Absent: one could."),
    list_of("planned", request_service, "Services of a deletion as they were when the request started."),
    list_of("stages", request_stage,
            "Stages with their services and results. Absent: the request has not ended, or its history lies in records "
            "below it.")
        .nullable(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = deployment_request_number,
    .name = "deployment",
    .schema = "DeploymentRecord",
    .about =
        "A deployment request is an action on an environment or some of its services. The requests of an environment "
        "are executed one "
        "after the other, and the ended ones are its history.",
    .parent = "environment",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,  // it has other events: queued, started, ended
    .sample = R"({"id": "01900000-0000-7000-8000-000000000001", "action": "DEPLOY", "origin": "API", )"
              R"("whole_environment": true})",
};

}  // namespace orlop::families::deployment
