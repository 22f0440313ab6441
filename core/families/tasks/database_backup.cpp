// A backup of a database is a task of the driver.
#include "model/family.h"

namespace orlop {
namespace computations {
ComputeFunction backup_status;
}  // namespace computations

namespace families::database_backup {
namespace {

constexpr Field fields[] = {
    text("name", "Name of the backup, 1 to 255 bytes.").required().unique_name(),
    text("message", "Free text that describes the backup.").required(),
    integer("ttl_in_days",
            "Lifetime of the backup in days, 1 to 36500: then it is deleted. Null (default): it is kept until it is "
            "deleted.")
        .at_least(1)
        .at_most(36'500)
        .nullable()
        .defaults_to_null(),
    computed(open_object("status",
                         "State of the backup in the form of a service's status: `state` is `QUEUED`, `EXECUTING`, "
                         "`DEPLOYED`, `DEPLOYMENT_ERROR` or `CANCELED`."),
             computations::backup_status)
        .always_present(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 71,
    .name = "database_backup",
    .schema = "Backup",
    .segment = "backup",
    .id_name = "backupId",
    .about =
        "A backup of a database is made by the driver in a step of kind `task`. Deleting it, and the end of its "
        "lifetime, delete the record; the driver is given the id in the "
        "step and keeps the data under it. The event of the deletion tells the host that the data can go.",
    .parent = "database",
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::remove,
    .name_scope = NameScope::none,
    .machine = MachineKind::task,
    .sample = R"({"name": "before the migration", "message": "Schema 12."})",
};

}  // namespace families::database_backup
}  // namespace orlop
