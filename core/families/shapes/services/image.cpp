#include "families/shapes/services/image.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/text/image_reference.h"

namespace orlop::shapes {

void check_image(const Value& holder, std::string_view path, Violations& violations) {
  const auto check_one = [&](std::string_view name, bool (*is_right)(std::string_view), std::string_view form) {
    const Value* const given = holder.find(name);
    if (given == nullptr || !given->is_text() || is_right(given->as_text())) return;
    refuse(violations, path.empty() ? std::string(name) : member_path(path, name),
           "must be " + std::string(form) + ", not " + quoted(given->as_text()));
  };
  check_one("image_name", is_image_name, image_name_form);
  check_one("tag", is_image_tag, image_tag_form);
}

void complete_image(Value& holder, ValidationContext& context) {
  const auto id = id_of(holder, "registry_id");
  if (!id) return;
  constexpr std::string_view copied[] = {"id", "name", "url", "kind"};
  Value registry = context.members_of("container_registry", *id, copied);
  if (!registry.is_null()) holder.set("registry", std::move(registry));
}

}  // namespace orlop::shapes
