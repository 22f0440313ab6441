#include "records/tree/copy_children.h"

#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "model/validate.h"
#include "records/record_value.h"
#include "records/variables/copied_texts.h"
#include "unit/store_record.h"
#include "unit/unit.h"

namespace orlop {
namespace {

bool is_copied(const Family* family, const Family& above) {
  const bool is_plain =
      family != nullptr && family->is_cloned && !family->is_internal && family->machine == MachineKind::none;
  return is_plain && family->name != "deployment_stage" && may_be_parent(above, *family);
}

// Replaces ids of originals by those of copies, at any depth.
void map_ids(Value& value, const std::unordered_map<Id, Id>& copies) {
  if (value.is_text()) {
    const auto id = parse_id(value.as_text());
    const auto found = id ? copies.find(*id) : copies.end();
    if (found != copies.end()) value = Value(to_text(found->second));
  } else if (value.is_list()) {
    for (Value& item : value.items()) map_ids(item, copies);
  } else if (value.is_object()) {
    for (Member& member : value.members()) map_ids(member.value, copies);
  }
}

// Changes only references and members that the engine sets: a text of the user that looks like an id stays.
void map_members(const Family& family, Value& value, const std::unordered_map<Id, Id>& copies) {
  for (const Field& field : family.fields) {
    const bool names_ids = !field.refers_to.empty() || field.shape != nullptr || field.server_set != ServerSet::none;
    if (Value* member = names_ids ? value.find(field.name) : nullptr) map_ids(*member, copies);
  }
}

}  // namespace

Result<bool> copy_children(Unit& unit, const Record& original, const Record& copy, std::unordered_map<Id, Id>& copies) {
  const Family* above = find_family(copy.family);
  if (above == nullptr) return false;
  RecordRange range;
  range.key = original.id;
  ORLOP_TRY(children, unit.records(range));
  std::erase_if(children, [above](const Record& child) { return !is_copied(find_family(child.family), *above); });
  copies.insert_or_assign(original.id, copy.id);
  for (const Record& child : children) copies.insert_or_assign(child.id, unit.make_id());
  bool names_resources = false;
  for (const Record& child : children) {
    names_resources = names_resources || may_name_resource(child);
    const Family& family = *find_family(child.family);
    ORLOP_TRY(value, full_value(child));
    Record made;
    made.id = copies.at(child.id);
    made.family = child.family;
    made.parent = copy.id;
    made.organization = copy.organization;
    if (Value* id = value.find("id")) *id = Value(to_text(made.id));
    for (const std::string_view time : {"created_at", "updated_at"}) {
      if (Value* at = value.find(time)) *at = Value(to_text(unit.now()));
    }
    map_members(family, value, copies);
    ORLOP_TRY(stored, put_value(unit, family, std::move(made), std::move(value), EventKind::created));
    (void)stored;
  }
  return names_resources;
}

}  // namespace orlop
