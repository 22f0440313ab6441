// Lock of a cluster: until it expires, edits and upgrades of the cluster are refused.
#include <string>
#include <utility>

#include "base/family_number.h"
#include "deploy/request/lock_of_cluster.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/registry.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::lock {
namespace {

Result<Answer> lock(Unit& unit, const Call& call) {
  static const Family& family = *find_family(cluster_lock_number);
  ORLOP_TRY(subject, subject_of(unit, call));
  Value body = *call.body;
  body.set("locked_at", Value(to_text(unit.now())));
  body.set("owner_name", Value(call.author));
  ORLOP_TRY(previous, find_child(unit, subject.record.id, cluster_lock_number));
  ORLOP_TRY(stored, previous ? edit_record(unit, family, std::move(previous).take(), body)
                             : create_record(unit, family, subject.record.id, body));
  return Answer{200, std::move(stored.body)};
}

Result<Answer> unlock(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(held, lock_of(unit, subject.record.id));
  if (!held) return not_found("lock on cluster", subject.record.id);
  ORLOP_CHECK(remove_tree(unit, held->record));
  return Answer{204, {}};
}

Result<Answer> edit_cluster(Unit& unit, const Call& call) {
  ORLOP_CHECK(require_unlocked(unit, call.ids.back()));
  return edit(unit, call);
}

Result<Answer> list_locks(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *parent_of(*call.family), call.ids.front()));
  RecordRange range;
  range.key = organization.id;
  range.family = call.family->number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(clusters, unit.records(range));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& cluster : clusters) {
    ORLOP_TRY(held, lock_of(unit, cluster.id));
    if (held) out.raw(held->record.body);
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "{flat}/lock",
     .name = "lock_{family}",
     .access = Access::write,
     .handle = lock,
     .body = &operation_shapes::lock,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &operation_shapes::cluster_lock,
     .summary = "Lock a cluster",
     .about = "Edits and upgrades of the cluster are refused with 409 until the lock is removed or expires."},
    {.method = Method::remove,
     .path = "{flat}/lock",
     .name = "unlock_{family}",
     .status = 204,
     .access = Access::write,
     .handle = unlock,
     .summary = "Unlock a cluster",
     .about = "Removes the lock before its time is over. 404: the cluster is not locked."},
    {.path = "/organization/{organizationId}/lock",
     .name = "list_{family}_locks",
     .handle = list_locks,
     .form = AnswerForm::shape_list,
     .answer = &operation_shapes::cluster_lock,
     .summary = "List the cluster locks of an organization",
     .about = "Returns the locks that have not expired."},
};

constexpr ReplacedVerb replaced[] = {{.verb = Verb::edit, .handle = edit_cluster}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::clusters::lock
