#include "records/tree/removal.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/deletion_number.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/bulk_jobs/part_bound.h"
#include "records/record_value.h"
#include "records/tree/propagate.h"
#include "unit/deletions.h"
#include "unit/edited_members.h"
#include "unit/lineage.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Reports whether these fields may refer to records of the family. `is_refusing`: with references that refuse the
// deletion of their target, else with others.
bool is_referred_to(const Family& family, std::span<const Field> fields, bool is_refusing) {
  return std::ranges::any_of(fields, [&](const Field& field) {
    const bool names_it = field.refers_to == family.name || (field.refers_to == "service" && is_service(family));
    if (names_it && (field.on_delete_of_target == OnDelete::refuse) == is_refusing) return true;
    if (field.shape == nullptr) return false;
    return is_referred_to(family, field.shape->fields, is_refusing) ||
           std::ranges::any_of(field.shape->variants, [&](const Variant& variant) {
             return is_referred_to(family, variant.fields, is_refusing);
           });
  });
}

bool is_referred_to(const Family& family, bool is_refusing) {
  return std::ranges::any_of(all_families(),
                             [&](const Family* other) { return is_referred_to(family, other->fields, is_refusing); });
}

// Reports whether a record of the family can be a record of `root` or lie below one.
bool is_below_or_same(const Family* family, const Family& root) {
  if (family == &root) return true;
  return std::ranges::any_of(parents_of(*family),
                             [&root](const Family* parent) { return is_below_or_same(parent, root); });
}

// Error conflict if a clone outside of the tree copies an environment inside of it.
Result<void> require_not_copied(Unit& unit, const Record& root, const Id& job) {
  ORLOP_TRY(links, unit.stored().links(job));
  if (links.references.empty()) return {};
  ORLOP_TRY(is_copied, lies_below(unit, links.references.front(), root.id));
  ORLOP_TRY(goes_too, lies_below(unit, job, root.id));
  if (!is_copied || goes_too) return {};
  return make_error(ErrorCode::conflict,
                    label_of(root) + " holds an environment that is being cloned; delete it once the clone is made");
}

// Error conflict if the deletion would interrupt active work in the tree. The list of active machines is short compared
// with a large tree.
Result<void> require_still_below(Unit& unit, const Record& root) {
  std::vector<Id> running;
  MachineRange active;
  active.by = MachineRange::By::active;
  ORLOP_CHECK(unit.stored().machines(active, [&](const Machine& machine) {
    if (keeps_from_removal(machine)) running.push_back(machine.id);
    return true;
  }));
  for (const Id& id : running) {
    ORLOP_TRY(inside, lies_below(unit, id, root.id));
    if (!inside) continue;
    ORLOP_TRY(record, unit.record(id));
    const std::string label = record ? label_of(*record) : to_text(id);
    return make_error(ErrorCode::conflict, label + " is being deployed; cancel the deployment or wait for its end");
  }
  return {};
}

struct Part {
  Unit& unit;
  PartBound& bound;
  bool is_whole = false;      // erases everything, regardless of cost
  bool has_cascaded = false;  // cascades have erased records
  bool is_full() { return !is_whole && bound.is_reached(); }
};

Result<bool> erase_below(Part& part, const Id& id);

// A cascade may have erased the record.
Result<bool> still_there(const Part& part, const Record& record) {
  if (!part.has_cascaded) return true;
  ORLOP_TRY(found, part.unit.record(record.id));
  return found.has_value();
}

// Erases the records that are deleted with a record they refer to.
Result<void> cascade(Part& part, const Record& record) {
  Unit& unit = part.unit;
  const Family* family = find_family(record.family);
  if (family == nullptr || !is_softly_referred_to(*family)) return {};
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = record.id;
  ORLOP_TRY(referrers, unit.records(range));
  for (const Record& referrer : referrers) {
    const Family* other = find_family(referrer.family);
    if (other == nullptr) continue;
    ORLOP_TRY(value, full_value(referrer));
    if (behaviour_on_delete(other->fields, value, record.id) == OnDelete::refuse) continue;
    Part whole{unit, part.bound, true};
    part.has_cascaded = true;
    ORLOP_TRY(is_bare, erase_below(whole, referrer.id));
    (void)is_bare;
    ORLOP_CHECK(cascade(part, referrer));
    if (other->propagates != Propagation::self) ORLOP_CHECK(propagate(unit, *other, referrer));
    emit_deleted(unit, referrer);
    unit.erase(referrer.id);
  }
  return {};
}

constexpr std::size_t read_at_once = 64;  // number of children that a part reads before it erases them

// Reads the children after `after`, up to read_at_once or erased_text_max: the history of one deployment may have
// megabytes.
Result<std::vector<Record>> next_children(Unit& unit, const Id& parent, const Id& after) {
  RecordRange range;
  range.key = parent;
  range.after = after;
  range.limit = read_at_once;
  std::vector<Record> children;
  std::size_t text = 0;
  ORLOP_CHECK(unit.visit(range, [&](const Record& child) {
    text += child.body.size();
    children.push_back(child);
    return text < erased_text_max;
  }));
  return children;
}

// Erases the records below `id`, deepest first, until the part is full; true if none are left.
Result<bool> erase_below(Part& part, const Id& id) {
  Id after;
  while (true) {
    ORLOP_TRY(children, next_children(part.unit, id, after));
    if (children.empty()) return true;
    for (const Record& child : children) {
      after = child.id;
      ORLOP_TRY(is_bare, erase_below(part, child.id));
      if (!is_bare || part.is_full()) return false;
      ORLOP_TRY(is_there, still_there(part, child));
      if (!is_there) continue;
      ORLOP_CHECK(cascade(part, child));
      emit_deleted(part.unit, child);
      part.unit.erase(child.id);
      part.bound.add_erased_text(child.body.size());
    }
  }
}

// Another record may take the name while this one is erased.
Result<void> release_name(Unit& unit, const Record& root) {
  ORLOP_TRY(links, unit.stored().links(root.id));
  if (!links.name_key.empty()) unit.put(root, std::string());
  return {};
}

void begin_erasing(Unit& unit, const Record& root) {
  unit.put(root, std::string());
  begin_job(unit, mark_deleted(unit, root.organization, std::span(&root.id, 1)), {.kind = JobKind::removal});
}

}  // namespace

Result<bool> lies_below(Unit& unit, const Id& id, const Id& root) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return false;
  Lineage lineage(unit, *record);
  while (lineage.at().id != root) {
    ORLOP_TRY(is_higher, lineage.up());
    if (!is_higher) return false;
  }
  return true;
}

Result<void> require_not_copied_out(Unit& unit, const Record& root) {
  std::vector<Id> copying;
  const MachineRange jobs = {.by = MachineRange::By::active, .family = bulk_job_number};
  ORLOP_CHECK(unit.stored().machines(jobs, [&](const Machine& machine) {
    if (static_cast<JobKind>(machine.state) == JobKind::copy) copying.push_back(machine.id);
    return true;
  }));
  for (const Id& job : copying) ORLOP_CHECK(require_not_copied(unit, root, job));
  return {};
}

Result<std::vector<Record>> refusing_referrers(Unit& unit, const Record& target) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = target.id;
  ORLOP_TRY(referrers, unit.records(range));
  std::vector<Record> refusing;
  for (Record& referrer : referrers) {
    ORLOP_TRY(behaviour, behaviour_of(referrer, target));
    if (behaviour == OnDelete::refuse) refusing.push_back(std::move(referrer));
  }
  return refusing;
}

Result<OnDelete> behaviour_of(const Record& referrer, const Record& target) {
  const Family* family = find_family(referrer.family);
  if (family == nullptr || !refers_softly(family->fields)) return OnDelete::refuse;
  ORLOP_TRY(value, full_value(referrer));
  return behaviour_on_delete(family->fields, value, target.id);
}

bool keeps_from_removal(const Machine& machine) {
  const Family* family = find_family(machine.family);
  return machine.active && !machine.step.is_nil() && (family == nullptr || family->machine != MachineKind::task);
}

bool refers_softly(std::span<const Field> fields) {
  return std::ranges::any_of(fields, [](const Field& field) {
    const bool is_soft = !field.refers_to.empty() && field.on_delete_of_target != OnDelete::refuse;
    return is_soft || (field.shape != nullptr && refers_softly(field.shape->fields));
  });
}

bool is_softly_referred_to(const Family& family) {
  static const auto soft = [] {
    std::unordered_set<const Family*> found;
    for (const Family* candidate : all_families()) {
      if (is_referred_to(*candidate, false)) found.insert(candidate);
    }
    return found;
  }();
  return soft.contains(&family);
}

std::string label_of(const Record& record) {
  if (record.family == bulk_job_number) return "a clone that is being made of it";
  const Family* family = find_family(record.family);
  const std::string name = name_of(record);
  return (family == nullptr ? "record" : words_for(*family)) + (name.empty() ? "" : " \"" + name + "\"");
}

void emit_deleted(Unit& unit, const Record& record) {
  const Family* family = find_family(record.family);
  if (family == nullptr || !family->has_events) return;
  const std::string name = name_of(record);
  emit_about(unit, record, EventKind::deleted, record.revision,
             name.empty() ? std::string() : Writer().begin_object().field("name", name).end_object().text());
}

// References stay within an organization.
bool is_closed_tree(const Record& root) {
  if (root.id == root.organization) return true;
  const Family* top = find_family(root.family);
  return top != nullptr && std::ranges::none_of(all_families(), [&](const Family* family) {
           return is_below_or_same(family, *top) && is_referred_to(*family, true);
         });
}

Result<void> begin_removal(Unit& unit, const Record& root) {
  ORLOP_CHECK(require_not_copied_out(unit, root));
  ORLOP_CHECK(require_still_below(unit, root));
  begin_erasing(unit, root);
  return {};
}

Result<bool> erase_in_part(Unit& unit, PartBound& bound, const Record& root) {
  Part part{unit, bound};
  ORLOP_TRY(is_bare, erase_below(part, root.id));
  if (!is_bare) {
    ORLOP_CHECK(release_name(unit, root));
    return false;
  }
  ORLOP_CHECK(cascade(part, root));
  emit_deleted(unit, root);
  unit.erase(root.id);
  bound.add_erased_text(root.body.size());
  return true;
}

Result<PartEnd> remove_part(Unit& unit, JobPart job) {
  ORLOP_TRY(mark, unit.record(job.parent()));
  if (!mark || mark->family != deletion_number) return job.finish(unit);
  ORLOP_TRY(deletion, deletion_of(*mark));
  PartBound bound(unit);
  for (const Id& id : deletion.roots) {
    ORLOP_TRY(root, unit.record(id));
    ORLOP_TRY(is_erased, root ? erase_in_part(unit, bound, *root) : Result<bool>(true));
    if (!is_erased) return job.pause(unit, job.progress() + unit.changes().erasures.size());
  }
  unit.erase(deletion.id);
  return job.finish(unit);
}

Result<void> mark_older_removal(Unit& unit, const Machine& job) {
  if (job.family != bulk_job_number || static_cast<JobKind>(job.state) != JobKind::removal) return {};
  ORLOP_TRY(record, unit.record(job.id));
  ORLOP_TRY(root, record ? unit.record(record->parent) : Result<Shared<Record>>(Shared<Record>()));
  if (!root || root->family == deletion_number) return {};
  unit.erase(job.id);
  begin_erasing(unit, *root);
  return {};
}

}  // namespace orlop
