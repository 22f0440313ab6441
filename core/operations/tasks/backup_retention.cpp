// The lifetime of backups: one that has it is deleted when it has passed.
#include <optional>
#include <utility>

#include "lifecycle/state.h"
#include "model/registry.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "ops/verbs.h"
#include "store/partition.h"

namespace orlop::operation_sets::tasks::backup_retention {
namespace {

constexpr std::int64_t seconds_per_day = 86'400;
// A backup that has not ended when its lifetime passes is deleted once it has.
constexpr Duration retry_after = seconds(3600);

Result<void> add_retention(Unit& unit, const Creation& creation) {
  const Family& family = *find_family("backup_retention");
  if (&creation.family == &family) return {};
  ORLOP_TRY(backup, unit.value_of(creation.record));
  const std::int64_t days = backup->integer_or("ttl_in_days", 0);
  if (days == 0) return {};
  ORLOP_TRY(retention, create_record(unit, family, creation.record.id, Value::object()));
  Machine machine;
  machine.id = retention.id;
  machine.family = family.number;
  machine.owner = retention.id;
  machine.partition = partition_of(retention.organization);
  machine.changed_at = unit.now();
  machine.active = true;
  machine.deadline = unit.now() + seconds(days * seconds_per_day);
  unit.put(std::move(machine));
  unit.wake(retention.id, partition_of(retention.organization));
  return {};
}

Result<std::optional<Instant>> delete_backup(Unit& unit, Machine schedule) {
  if (schedule.deadline && unit.now() < *schedule.deadline) return schedule.deadline;
  ORLOP_TRY(retention, unit.record(schedule.id));
  if (!retention) return std::optional<Instant>();
  ORLOP_TRY(backup, unit.record(retention->parent));
  if (!backup) return std::optional<Instant>();
  ORLOP_TRY(task, require_machine(unit, backup->id));
  if (is_transient(static_cast<TaskState>(task.state))) return std::optional(unit.now() + retry_after);
  ORLOP_CHECK(remove_tree(unit, *backup));
  return std::optional<Instant>();
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("database_backup", "backup_retention"),
    .created = add_retention,
    .due = delete_backup,
};

}  // namespace orlop::operation_sets::tasks::backup_retention
