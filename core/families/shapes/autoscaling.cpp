#include "families/shapes/autoscaling.h"

namespace orlop::shapes {
namespace {

const Value* item_with_id(const Value* items, std::optional<Id> id) {
  if (items == nullptr || !items->is_list() || !id) return nullptr;
  for (const Value& item : items->items()) {
    if (id_of(item, "id") == id) return &item;
  }
  return nullptr;
}

// The id and time of birth that `previous` had, or new ones.
void stamp(Value& part, const Value* previous, Surroundings& around) {
  keep_from(part, previous, {"id", "created_at"});
  if (!part.has("id")) part.set("id", Value(to_text(around.make_id())));
  if (!part.has("created_at")) part.set("created_at", Value(to_text(around.now())));
}

void complete_scaler(Value& item, const Value* previous, Surroundings& around) {
  stamp(item, previous, around);
  Value* authentication = item.find("trigger_authentication");
  if (authentication == nullptr || !authentication->is_object()) return;
  stamp(*authentication, previous == nullptr ? nullptr : previous->find("trigger_authentication"), around);
  authentication->set("organization_id", Value(to_text(around.organization())));
}

}  // namespace

void complete_autoscaling(Value& record, Surroundings& around) {
  drop_nulls(record, {"autoscaling"});
  Value* policy = record.find("autoscaling");
  if (policy == nullptr) return;
  stamp(*policy, before(around, {"autoscaling"}), around);
  policy->set("service_id", Value(to_text(around.self())));
  Value* scalers = policy->find("scalers");
  if (scalers == nullptr) return;
  const Value* previous = before(around, {"autoscaling", "scalers"});
  complete_ids(*scalers, previous, {"scaler_type", "role"}, around);
  for (Value& item : scalers->items()) complete_scaler(item, item_with_id(previous, id_of(item, "id")), around);
}

}  // namespace orlop::shapes
