// The retention of a backup: a schedule that deletes the backup at the end of its lifetime.
#include "model/family.h"

namespace orlop::families::backup_retention {

extern const Family family;
constexpr Family family = {
    .number = 1030,
    .name = "backup_retention",
    .schema = "BackupRetentionRecord",
    .about = "The retention of a backup with a lifetime. It lies below the backup and goes with it.",
    .parent = "database_backup",
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::schedule,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = "{}",
};

}  // namespace orlop::families::backup_retention
