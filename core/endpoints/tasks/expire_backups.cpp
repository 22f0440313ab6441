// Deletion of backups at the end of their lifetime, if they have one.
#include <optional>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::tasks::expire_backups {
namespace {

// A backup that has not ended by then is deleted after its end.
constexpr Duration retry_after = seconds(3600);

std::optional<Duration> lifetime_of(const Value& backup) {
  constexpr std::int64_t seconds_per_day = 86'400;
  const std::int64_t days = backup.integer_or("ttl_in_days", 0);
  return days == 0 ? std::nullopt : std::optional(seconds(days * seconds_per_day));
}

Result<void> add_retention(Unit& unit, const Creation& creation) {
  const Family& family = *find_family("backup_retention");
  if (&creation.family == &family) return {};
  ORLOP_TRY(backup, unit.value_of(creation.record));
  const auto lifetime = lifetime_of(*backup);
  if (!lifetime) return {};
  ORLOP_TRY(retention, create_record(unit, family, creation.record.id, Value::object()));
  Machine machine;
  machine.id = retention.id;
  machine.family = family.number;
  machine.owner = retention.id;
  machine.partition = partition_of(retention.organization);
  machine.changed_at = unit.now();
  machine.active = true;
  machine.deadline = unit.clock_time() + *lifetime;
  unit.put(std::move(machine));
  unit.wake(retention.id, partition_of(retention.organization));
  return {};
}

// A deadline further away than the lifetime was set before the clock was put back.
Result<std::optional<Instant>> wait_for_end(Unit& unit, const Record& backup, Machine schedule) {
  ORLOP_TRY(body, unit.value_of(backup));
  const auto lifetime = lifetime_of(*body);
  const Instant last = unit.clock_time() + lifetime.value_or(Duration{});
  if (*schedule.deadline <= last) return std::optional<Instant>(schedule.deadline);
  schedule.deadline = last;
  schedule.changed_at = unit.clock_time();
  unit.put(std::move(schedule));
  return std::optional(last);
}

Result<std::optional<Instant>> delete_backup(Unit& unit, Machine schedule) {
  ORLOP_TRY(retention, unit.record(schedule.id));
  if (!retention) return std::optional<Instant>();
  ORLOP_TRY(backup, unit.record(retention->parent));
  if (!backup) return std::optional<Instant>();
  if (schedule.deadline && unit.clock_time() < *schedule.deadline)
    return wait_for_end(unit, *backup, std::move(schedule));
  ORLOP_TRY(agreed, unit.agreed_time());
  // The clock is ahead of the agreed time.
  if (schedule.deadline && agreed < *schedule.deadline) return std::optional(unit.clock_time() + retry_after);
  ORLOP_TRY(task, require_machine(unit, backup->id));
  if (is_transient(static_cast<TaskState>(task.state))) return std::optional(unit.clock_time() + retry_after);
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

}  // namespace orlop::operation_sets::tasks::expire_backups
