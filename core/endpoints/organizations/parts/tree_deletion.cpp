#include "endpoints/organizations/parts/tree_deletion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bulk_job_number.h"
#include "base/deletion_number.h"
#include "deploy/plan/expand.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_parts.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/bulk_jobs/part_bound.h"
#include "records/tree/removal.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/deletions.h"

namespace orlop {
// Keeps these names apart in a unity build.
namespace deletion_passes {
namespace {

constexpr std::size_t read_by_part = 1000;  // records that a part visits
constexpr std::size_t read_at_once = 64;    // children of one parent
constexpr std::size_t looked_at_max = 500;  // records that a request visits before it leaves the rest to the job

struct Cursor {
  std::size_t pass = 0;
  std::size_t root = 0;  // index among the roots of the deletion
  Id above;              // last project whose environments were visited
  Id item;               // last record visited
};

constexpr std::string_view pass_name = "pass";
constexpr std::string_view root_name = "root";
constexpr std::string_view above_name = "above_id";
constexpr std::string_view item_name = "item_id";

Cursor cursor_of(const Value& detail) {
  const auto number = [&detail](std::string_view name) {
    return static_cast<std::size_t>(std::max<std::int64_t>(detail.integer_or(name, 0), 0));
  };
  const auto id = [&detail](std::string_view name) { return parse_id(detail.text_or(name, "")).value_or(Id{}); };
  return {number(pass_name), number(root_name), id(above_name), id(item_name)};
}

Value detail_of(const Cursor& cursor) {
  Value detail = Value::object();
  detail.set(pass_name, Value(static_cast<std::int64_t>(cursor.pass)));
  detail.set(root_name, Value(static_cast<std::int64_t>(cursor.root)));
  detail.set(above_name, Value(to_text(cursor.above)));
  detail.set(item_name, Value(to_text(cursor.item)));
  return detail;
}

// Visits the records of one family that are roots or lie below them: environments of a project or an organization,
// clusters of an organization.
class Walk {
 public:
  Walk(Unit& unit, std::span<const Id> roots, Cursor& cursor) : unit_(unit), roots_(roots), cursor_(cursor) {}

  // Returns the next records after the cursor, a few at a time, ascending by id for each parent. Empty if none are
  // left, or `read` has reached `bound`.
  Result<std::vector<Id>> next(const Family& family, std::size_t& read, std::size_t bound) {
    for (; cursor_.root < roots_.size(); ++cursor_.root, cursor_.above = cursor_.item = Id{}) {
      ORLOP_TRY(root, unit_.record(roots_[cursor_.root]));
      if (!root) continue;
      ORLOP_TRY(found, next_below(*root, family, read, bound));
      if (!found.empty() || read >= bound) return std::move(found);
    }
    return std::vector<Id>();
  }
  bool is_over() const { return cursor_.root == roots_.size(); }

 private:
  Result<std::vector<Id>> children(const Id& parent, const Family& family, const Id& after,
                                   std::size_t limit = read_at_once) {
    std::vector<Id> found;
    const RecordRange range = {
        .key = parent, .family = family.number, .after = after, .limit = limit, .fields = RecordRange::Fields::place};
    ORLOP_CHECK(
        unit_.visit(range, [&](const Record& child) { return found.push_back(child.id), found.size() < limit; }));
    return found;
  }

  Result<std::vector<Id>> next_below(const Record& root, const Family& family, std::size_t& read, std::size_t bound) {
    if (root.family == family.number) return cursor_.item.is_nil() ? std::vector<Id>{root.id} : std::vector<Id>();
    const Family* const parent = parent_of(family);
    if (parent == nullptr) return std::vector<Id>();
    if (root.family == parent->number) return children(root.id, family, cursor_.item);
    const Family* const above = parent_of(*parent);
    if (above == nullptr || root.family != above->number) return std::vector<Id>();
    while (read < bound) {
      ORLOP_TRY(found, cursor_.above.is_nil() ? Result<std::vector<Id>>(std::vector<Id>())
                                              : children(cursor_.above, family, cursor_.item));
      if (!found.empty()) return std::move(found);
      ORLOP_TRY(nearest, children(root.id, *parent, cursor_.above, 1));
      if (nearest.empty()) break;
      cursor_.above = nearest.front();
      cursor_.item = Id{};
      ++read;
    }
    return std::vector<Id>();
  }

  Unit& unit_;
  std::span<const Id> roots_;
  Cursor& cursor_;
};

struct Work {
  Unit& unit;
  PartBound bound;
  std::size_t read = 0;
  bool is_full() { return read >= read_by_part || bound.is_reached(); }
};

// Returns `done` if the record need not wait in this pass, `more` if the next part must continue with it.
using Act = Result<PartEnd> (*)(Work& work, const Record& record);

Result<bool> has_deployed_services(Unit& unit, const Id& environment) {
  bool is_deployed = false;
  ORLOP_CHECK(unit.visit_states(environment, [&](const Machine& machine) {
    is_deployed = is_deployed || (is_service(machine.family) && !is_untouched(machine));
  }));
  return is_deployed;
}

bool is_deployed(const Machine& cluster) {
  const auto state = static_cast<ClusterState>(cluster.state);
  const bool is_new =
      state == ClusterState::ready && static_cast<Freshness>(cluster.freshness) == Freshness::never_deployed;
  return !is_new && state != ClusterState::deleted;
}

Result<PartEnd> erase(Work& work, const Record& record) {
  ORLOP_TRY(is_erased, erase_in_part(work.unit, work.bound, record));
  return is_erased ? PartEnd::done : PartEnd::more;
}

// Ends a clone into the environment, which stays incomplete.
Result<void> end_jobs_below(Unit& unit, const Id& environment) {
  RecordRange range;
  range.key = environment;
  range.family = bulk_job_number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(jobs, unit.records(range));
  for (const Record& job : jobs) unit.erase(job.id);
  return {};
}

// Waiting requests are canceled by the tick, which the unit wakes.
Result<PartEnd> ask_environment(Work& work, const Record& environment) {
  Unit& unit = work.unit;
  ORLOP_TRY(has_deployed, has_deployed_services(unit, environment.id));
  if (!has_deployed) return PartEnd::done;
  ORLOP_CHECK(end_jobs_below(unit, environment.id));
  Order order;
  order.environment = environment.id;
  order.action = Action::remove;
  order.whole_environment = true;
  order.author = std::string(unit.author());
  const auto asked = enqueue(unit, order);
  if (asked) return PartEnd::done;
  if (asked.error().code != ErrorCode::conflict) return asked.error();
  return unit.awaited_job().is_nil() ? PartEnd::done : PartEnd::more;
}

Result<PartEnd> end_environment(Work& work, const Record& environment) {
  ORLOP_TRY(requests, request_machines(work.unit, environment.id));
  if (std::ranges::any_of(requests, is_unfinished)) {
    work.unit.wake(environment.id, partition_of(environment.organization));
    return PartEnd::waits;
  }
  ORLOP_TRY(has_deployed, has_deployed_services(work.unit, environment.id));
  return has_deployed ? Result<PartEnd>(PartEnd::done) : erase(work, environment);
}

Result<PartEnd> ask_cluster(Work& work, const Record& cluster) {
  Unit& unit = work.unit;
  ORLOP_TRY(machine, unit.machine(cluster.id));
  if (!machine || !is_deployed(*machine)) return PartEnd::done;
  ORLOP_TRY(users, refusing_referrers(unit, cluster));
  if (!users.empty()) return PartEnd::done;
  const bool has_begun = !machine->step.is_nil() || static_cast<Action>(machine->action) == Action::remove;
  if (is_transient(static_cast<ClusterState>(machine->state))) {
    if (has_begun) return PartEnd::waits;
    const auto canceled = cancel_cluster(unit, cluster.id);
    if (!canceled)
      return canceled.error().code == ErrorCode::conflict ? Result<PartEnd>(PartEnd::waits)
                                                          : Result<PartEnd>(canceled.error());
  }
  const auto asked = place_cluster(unit, cluster.id, Action::remove, unit.author());
  return asked || asked.error().code == ErrorCode::conflict ? Result<PartEnd>(PartEnd::done)
                                                            : Result<PartEnd>(asked.error());
}

Result<PartEnd> end_cluster(Work& work, const Record& cluster) {
  ORLOP_TRY(machine, work.unit.machine(cluster.id));
  if (machine && is_transient(static_cast<ClusterState>(machine->state))) return PartEnd::waits;
  if (machine && is_deployed(*machine)) return PartEnd::done;
  ORLOP_TRY(users, refusing_referrers(work.unit, cluster));
  return users.empty() ? erase(work, cluster) : Result<PartEnd>(PartEnd::done);
}

// Children of these families that are left could not be deleted: then the record stays.
Result<PartEnd> erase_without(Work& work, const Record& record, std::initializer_list<std::string_view> families) {
  for (const std::string_view family : families) {
    RecordRange range = {
        .key = record.id, .family = find_family(family)->number, .limit = 1, .fields = RecordRange::Fields::place};
    ORLOP_TRY(left, work.unit.records(range));
    if (!left.empty()) return PartEnd::done;
  }
  return erase(work, record);
}
Result<PartEnd> end_project(Work& work, const Record& project) { return erase_without(work, project, {"environment"}); }
Result<PartEnd> end_organization(Work& work, const Record& organization) {
  return erase_without(work, organization, {"project", "cluster"});
}

// Projects come before clusters, which their deployment rules refer to.
struct Pass {
  std::string_view family;
  Act act;
};
constexpr Pass passes[] = {
    {"environment", ask_environment}, {"environment", end_environment}, {"project", end_project},
    {"cluster", ask_cluster},         {"cluster", end_cluster},         {"organization", end_organization},
};

// Reports whether these trees have deployed services or clusters, or more records than a request visits.
Result<bool> may_be_deployed(Unit& unit, std::span<const Id> roots) {
  std::size_t read = 0;
  for (const std::string_view name : {"environment", "cluster"}) {
    const Family& family = *find_family(name);
    Cursor cursor;
    Walk walk(unit, roots, cursor);
    while (!walk.is_over()) {
      ORLOP_TRY(found, walk.next(family, read, looked_at_max));
      for (const Id& id : found) {
        ORLOP_TRY(machine, family.machine == MachineKind::cluster ? unit.machine(id)
                                                                  : Result<Shared<Machine>>(Shared<Machine>()));
        ORLOP_TRY(has_deployed, family.machine == MachineKind::cluster ? Result<bool>(machine && is_deployed(*machine))
                                                                       : has_deployed_services(unit, id));
        if (has_deployed) return true;
        cursor.item = id;
        ++read;
      }
      if (read >= looked_at_max) return true;
    }
  }
  return false;
}

// With BusyPolicy::reject a request must not wait for an earlier one in the trees.
Result<void> require_idle(Unit& unit, std::span<const Record> roots) {
  if (unit.settings().busy != BusyPolicy::reject) return {};
  std::vector<Id> environments;
  MachineRange active = {.by = MachineRange::By::active,
                         .family = deployment_request_number,
                         .partition = partition_of(roots.front().organization)};
  ORLOP_CHECK(unit.stored().machines(
      active, [&environments](const Machine& request) { return environments.push_back(request.owner), true; }));
  for (const Id& environment : environments) {
    for (const Record& root : roots) {
      ORLOP_TRY(is_inside, lies_below(unit, environment, root.id));
      if (!is_inside) continue;
      ORLOP_TRY(record, unit.record(environment));
      return make_error(ErrorCode::conflict, "a deployment of " + (record ? label_of(*record) : to_text(environment)) +
                                                 " runs or waits; wait for its end or cancel it");
    }
  }
  return {};
}

// Error conflict if a record outside of the trees refers to this root.
Result<void> require_unused(Unit& unit, const Record& root, std::span<const Record> roots) {
  ORLOP_TRY(users, refusing_referrers(unit, root));
  for (const Record& user : users) {
    bool goes_too = false;
    for (const Record& other : roots) {
      ORLOP_TRY(is_inside, lies_below(unit, user.id, other.id));
      goes_too = goes_too || is_inside;
    }
    if (!goes_too)
      return make_error(ErrorCode::conflict,
                        label_of(root) + " is in use by " + label_of(user) + "; change or delete what uses it first");
  }
  return {};
}

// Wakes suspended work in a tree that becomes visible again.
Result<void> wake_below(Unit& unit, const Deletion& deletion) {
  std::vector<WakeUp> resting;
  MachineRange active = {.by = MachineRange::By::active, .partition = partition_of(deletion.organization)};
  ORLOP_CHECK(unit.stored().machines(active, [&resting](const Machine& machine) {
    const bool is_request = machine.family == deployment_request_number;
    const MachineKind kind = machine_kind(machine.family);
    if (is_request || kind == MachineKind::task || kind == MachineKind::schedule)
      resting.push_back({machine.partition, is_request ? machine.owner : machine.id});
    return true;
  }));
  for (const WakeUp& each : resting) {
    for (const Id& root : deletion.roots) {
      ORLOP_TRY(is_inside, lies_below(unit, each.owner, root));
      if (is_inside) unit.wake(each.owner, each.partition);
    }
  }
  return {};
}

Result<PartEnd> finish(Unit& unit, JobPart& job, const Deletion& deletion) {
  ORLOP_CHECK(wake_below(unit, deletion));
  job.finish(unit);
  unit.erase(deletion.id);
  return PartEnd::done;
}

// Continues the passes until the part is full or has to wait.
Result<PartEnd> go_on(Work& work, const Deletion& deletion, Cursor& cursor) {
  while (cursor.pass < std::size(passes)) {
    const Pass& pass = passes[cursor.pass];
    const Family& family = *find_family(pass.family);
    Walk walk(work.unit, deletion.roots, cursor);
    while (!walk.is_over()) {
      ORLOP_TRY(found, walk.next(family, work.read, read_by_part));
      for (const Id& id : found) {
        ORLOP_TRY(record, work.unit.record(id));
        ORLOP_TRY(end, record ? pass.act(work, *record) : Result<PartEnd>(PartEnd::done));
        if (end != PartEnd::done) return end;
        cursor.item = id;
        ++work.read;
        if (work.is_full()) return PartEnd::more;
      }
      if (work.is_full()) return PartEnd::more;
    }
    cursor = {.pass = cursor.pass + 1, .root = 0, .above = {}, .item = {}};
  }
  return PartEnd::done;
}

Result<void> delete_all(Unit& unit, std::span<const Record> roots) {
  std::vector<Id> ids;
  for (const Record& root : roots) ids.push_back(root.id);
  ORLOP_TRY(may_be, may_be_deployed(unit, ids));
  if (!may_be) {
    for (const Record& root : roots) ORLOP_CHECK(remove_tree(unit, root));
    return {};
  }
  for (const Record& root : roots) {
    ORLOP_CHECK(require_not_copied_out(unit, root));
    ORLOP_CHECK(require_unused(unit, root, roots));
  }
  ORLOP_CHECK(require_idle(unit, roots));
  begin_job(unit, mark_deleted(unit, roots.front().organization, ids),
            {.kind = JobKind::removal, .detail = detail_of({})});
  return {};
}

Result<PartEnd> do_part(Unit& unit, JobPart job) {
  if (!job.detail().is_object()) return remove_part(unit, std::move(job));
  ORLOP_TRY(mark, unit.record(job.parent()));
  if (!mark || mark->family != deletion_number) return job.finish(unit);
  ORLOP_TRY(deletion, deletion_of(*mark));
  Work work{unit, PartBound(unit)};
  Cursor cursor = cursor_of(job.detail());
  const Value before = detail_of(cursor);
  ORLOP_TRY(end, go_on(work, deletion, cursor));
  if (end == PartEnd::done) return finish(unit, job, deletion);
  Value after = detail_of(cursor);
  if (after == before) return end;
  ORLOP_TRY(paused, job.pause(unit, std::move(after)));
  return paused == PartEnd::done ? paused : end;
}

}  // namespace
}  // namespace deletion_passes

Result<void> delete_trees(Unit& unit, std::span<const Record> roots) {
  return deletion_passes::delete_all(unit, roots);
}

Result<PartEnd> deletion_part(Unit& unit, JobPart job) { return deletion_passes::do_part(unit, std::move(job)); }

}  // namespace orlop
