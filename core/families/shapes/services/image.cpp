#include "families/shapes/services/image.h"

#include <utility>

namespace orlop::shapes {

void complete_image(Value& holder, ValidationContext& context) {
  const auto id = id_of(holder, "registry_id");
  const Value* registry = id ? context.find("container_registry", *id) : nullptr;
  if (registry == nullptr) return;
  Value details = Value::object();
  details.set("id", Value(to_text(*id)));
  keep_from(details, registry, {"name", "url", "kind"});
  holder.set("registry", std::move(details));
}

}  // namespace orlop::shapes
