#include "families/shapes/services/autoscaling.h"

#include <algorithm>

namespace orlop::shapes {
namespace {

const Value* item_with_id(const Value* items, std::optional<Id> id) {
  if (items == nullptr || !items->is_list() || !id) return nullptr;
  for (const Value& item : items->items()) {
    if (id_of(item, "id") == id) return &item;
  }
  return nullptr;
}

// Sets the id and times of `previous`, or new ones.
void stamp(Value& part, const Value* previous, ValidationContext& context) {
  keep_from(part, previous, {"id", "created_at", "updated_at"});
  if (!part.has("id")) part.set("id", Value(to_text(context.make_id())));
  if (!part.has("created_at")) part.set("created_at", Value(to_text(context.now())));
}

bool is_same(const Value& left, const Value& right);

// Compares members in any order; an absent member is null.
bool has_all(const Value& object, const Value& of) {
  return std::ranges::all_of(of.members(), [&](const Member& member) {
    const Value* found = object.find(member.name);
    return is_same(found == nullptr ? Value() : *found, member.value);
  });
}

bool is_same(const Value& left, const Value& right) {
  if (left.is_object() && right.is_object()) return has_all(left, right) && has_all(right, left);
  if (left.is_list() && right.is_list()) return std::ranges::equal(left.items(), right.items(), is_same);
  return left == right;
}

// Call after the rest of the part is complete.
void stamp_change(Value& part, const Value* previous, ValidationContext& context) {
  if (previous == nullptr || !is_same(part, *previous)) part.set("updated_at", Value(to_text(context.now())));
}

void complete_scaler(Value& item, const Value* previous, ValidationContext& context) {
  stamp(item, previous, context);
  Value* authentication = item.find("trigger_authentication");
  if (authentication != nullptr && authentication->is_object()) {
    const Value* before = previous == nullptr ? nullptr : previous->find("trigger_authentication");
    stamp(*authentication, before, context);
    authentication->set("organization_id", Value(to_text(context.organization())));
    stamp_change(*authentication, before, context);
  }
  stamp_change(item, previous, context);
}

}  // namespace

void complete_autoscaling(Value& record, ValidationContext& context) {
  drop_nulls(record, {"autoscaling"});
  Value* policy = record.find("autoscaling");
  if (policy == nullptr) return;
  const Value* policy_before = before(context, {"autoscaling"});
  stamp(*policy, policy_before, context);
  policy->set("service_id", Value(to_text(context.self())));
  if (Value* scalers = policy->find("scalers")) {
    const Value* previous = before(context, {"autoscaling", "scalers"});
    complete_ids(*scalers, previous, {"scaler_type", "role"}, context);
    for (Value& item : scalers->items()) complete_scaler(item, item_with_id(previous, id_of(item, "id")), context);
  }
  stamp_change(*policy, policy_before, context);
}

}  // namespace orlop::shapes
