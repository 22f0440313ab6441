#include "families/shapes/services/image.h"

#include <string_view>
#include <utility>

namespace orlop::shapes {

void complete_image(Value& holder, ValidationContext& context) {
  const auto id = id_of(holder, "registry_id");
  if (!id) return;
  constexpr std::string_view copied[] = {"id", "name", "url", "kind"};
  Value registry = context.members_of("container_registry", *id, copied);
  if (!registry.is_null()) holder.set("registry", std::move(registry));
}

}  // namespace orlop::shapes
