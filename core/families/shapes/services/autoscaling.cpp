#include "families/shapes/services/autoscaling.h"

namespace orlop::shapes {
namespace {

const Value* item_with_id(const Value* items, std::optional<Id> id) {
  if (items == nullptr || !items->is_list() || !id) return nullptr;
  for (const Value& item : items->items()) {
    if (id_of(item, "id") == id) return &item;
  }
  return nullptr;
}

// The id and time of creation of `previous`, or new ones.
void stamp(Value& part, const Value* previous, ValidationContext& context) {
  keep_from(part, previous, {"id", "created_at"});
  if (!part.has("id")) part.set("id", Value(to_text(context.make_id())));
  if (!part.has("created_at")) part.set("created_at", Value(to_text(context.now())));
}

void complete_scaler(Value& item, const Value* previous, ValidationContext& context) {
  stamp(item, previous, context);
  Value* authentication = item.find("trigger_authentication");
  if (authentication == nullptr || !authentication->is_object()) return;
  stamp(*authentication, previous == nullptr ? nullptr : previous->find("trigger_authentication"), context);
  authentication->set("organization_id", Value(to_text(context.organization())));
}

}  // namespace

void complete_autoscaling(Value& record, ValidationContext& context) {
  drop_nulls(record, {"autoscaling"});
  Value* policy = record.find("autoscaling");
  if (policy == nullptr) return;
  stamp(*policy, before(context, {"autoscaling"}), context);
  policy->set("service_id", Value(to_text(context.self())));
  Value* scalers = policy->find("scalers");
  if (scalers == nullptr) return;
  const Value* previous = before(context, {"autoscaling", "scalers"});
  complete_ids(*scalers, previous, {"scaler_type", "role"}, context);
  for (Value& item : scalers->items()) complete_scaler(item, item_with_id(previous, id_of(item, "id")), context);
}

}  // namespace orlop::shapes
