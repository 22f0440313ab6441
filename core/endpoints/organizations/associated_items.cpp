// Resources that carry a group of labels or annotations.
#include <string>
#include <string_view>
#include <utility>

#include "access/permission.h"
#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::organizations::associated_items {
namespace {

// Returns a referenced record as a value; null if it is gone.
Result<Value> value_of(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return Value();
  return parse_stored(record->body);
}

void write_place(Writer& out, std::string_view id_name, std::string_view name_name, const Value& place) {
  if (place.is_null()) return;
  out.field(id_name, place.text_or("id", "")).field(name_name, place.text_or("name", ""));
}

// The type of a job is its job_type.
std::string_view type_of(const Family& family, const Value& item) {
  if (!is_service(family)) return "CLUSTER";
  return item.text_or("job_type", family.service_kind);
}

Result<void> write_service_places(Unit& unit, Writer& out, const Id& environment_id) {
  ORLOP_TRY(environment, value_of(unit, environment_id));
  ORLOP_TRY(record, unit.record(environment_id));
  const auto cluster_id = parse_id(environment.text_or("cluster_id", ""));
  ORLOP_TRY(cluster, value_of(unit, cluster_id.value_or(Id{})));
  ORLOP_TRY(project, value_of(unit, record ? record->parent : Id{}));
  write_place(out, "cluster_id", "cluster_name", cluster);
  write_place(out, "project_id", "project_name", project);
  write_place(out, "environment_id", "environment_name", environment);
  return {};
}

Result<void> write_item(Unit& unit, Writer& out, const Record& record) {
  const Family* family = find_family(record.family);
  if (family == nullptr) return {};
  ORLOP_TRY(item, parse_stored(record.body));
  out.begin_object();
  if (is_service(*family)) {
    ORLOP_CHECK(write_service_places(unit, out, record.parent));
  } else {
    write_place(out, "cluster_id", "cluster_name", item);
  }
  out.field("item_id", record.id).field("item_name", item.text_or("name", ""));
  out.field("item_type", type_of(*family, item)).end_object();
  return {};
}

Result<Answer> list_items(Unit& unit, const Call& call) {
  ORLOP_TRY(group, require(unit, *call.family, call.ids.back()));
  if (group.parent != call.ids.front()) return not_found(words_for(*call.family), group.id);
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = group.id;
  ORLOP_TRY(referrers, unit.records(range));
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(referrers));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& referrer : referrers) ORLOP_CHECK(write_item(unit, out, referrer));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view item_types[] = {"APPLICATION", "DATABASE", "CONTAINER", "LIFECYCLE",
                                           "ENVIRONMENT", "CLUSTER",  "CRON"};
constexpr Field item_fields[] = {
    uuid("cluster_id", "ID of the cluster: the one on which the service runs, or the item itself."),
    text("cluster_name", "Name of that cluster."),
    uuid("project_id", "ID of the project that contains the service. Absent for a cluster."),
    text("project_name", "Name of that project."),
    uuid("environment_id", "ID of the environment that contains the service. Absent for a cluster."),
    text("environment_name", "Name of that environment."),
    uuid("item_id", "ID of the service or cluster.").required(),
    text("item_name", "Name of the service or cluster.").required(),
    enumeration("item_type", item_types, "Kind of the item: a service kind or `CLUSTER`.").required(),
};
constexpr Shape item = {.name = "GroupAssociatedItem", .fields = item_fields};

constexpr Operation operations[] = {
    {.path = "{item}/associatedItems",
     .name = "list_{family}_associated_items",
     .handle = list_items,
     .form = AnswerForm::shape_list,
     .answer = &item,
     .summary = "List the services and clusters that use {one}",
     .about = "While there are any, it cannot be deleted. Those that the caller may not see are left out."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("labels_group", "annotations_group"),
    .operations = operations,
    .python_class = "Group",
};

}  // namespace orlop::operation_sets::organizations::associated_items
