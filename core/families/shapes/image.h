// A container image in a registry.
#pragma once

#include "families/shapes/rules.h"
#include "families/shapes/enumerations.h"

namespace orlop::shapes {

inline constexpr Field registry_details_fields[] = {
    uuid("id", "Its id.").read_only(),
    text("name", "Its name.").read_only(),
    text("url", "Its address.").read_only(),
    enumeration("kind", registry_kinds, "Its kind.").read_only(),
};
inline constexpr Shape registry_details{.name = "ContainerRegistryProviderDetailsResponse", .fields = registry_details_fields};

inline constexpr Field image_registry_id =
    reference("registry_id", "container_registry", "The registry that holds the image.").required();
inline constexpr Field image_name = text("image_name", "The image's name inside its registry.").required().at_least(1);
inline constexpr Field image_tag = text("tag", "The image's tag.").required().at_least(1);
inline constexpr Field image_registry = object("registry", registry_details, "What is known of the registry.").read_only();

inline constexpr Field image_fields[] = {image_registry_id, image_name, image_tag, image_registry};
inline constexpr Shape image_source{.name = "ContainerSource", .fields = image_fields};

// `holder` has the fields of an image.
void complete_image(Value& holder, ValidationContext& context);

}  // namespace orlop::shapes
