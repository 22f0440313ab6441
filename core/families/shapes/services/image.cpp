#include "families/shapes/services/image.h"

#include <iterator>
#include <string_view>
#include <utility>

namespace orlop::shapes {

void complete_image(Value& holder, ValidationContext& context) {
  const auto id = id_of(holder, "registry_id");
  if (!id) return;
  constexpr std::string_view copied[] = {"name", "url", "kind"};
  Value registry = context.members_of("container_registry", *id, copied);
  if (registry.is_null()) return;
  Value details = Value::object();
  details.members().reserve(std::size(copied) + 1);
  details.add("id", Value(to_text(*id)));
  for (Member& member : registry.members()) details.members().push_back(std::move(member));
  holder.set("registry", std::move(details));
}

}  // namespace orlop::shapes
