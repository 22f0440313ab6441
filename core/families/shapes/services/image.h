// A container image in a registry.
#pragma once

#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"

namespace orlop::shapes {

inline constexpr Field registry_details_fields[] = {
    uuid("id", "ID of the container registry.").read_only().always_present(),
    text("name", "Name of the container registry.").read_only().always_present(),
    text("url", "URL of the container registry.").read_only().always_present(),
    enumeration("kind", registry_kinds, "Kind of the container registry.").read_only().always_present(),
};
inline constexpr Shape registry_details{.name = "ContainerRegistryProviderDetailsResponse",
                                        .fields = registry_details_fields};

inline constexpr Field image_registry_id =
    reference("registry_id", "container_registry", "ID of the container registry that holds the image.").required();
inline constexpr Field image_name =
    text("image_name",
         "Name of the image within its registry, without tag, as in `library/nginx`: parts of lower-case letters and "
         "digits, with `.`, `_`, `__` or hyphens between them, separated by `/`, at most 255 bytes in all.")
        .required()
        .at_least(1);
inline constexpr Field image_tag =
    text("tag",
         "Tag of the image, as in `1.27`, a digest, as in `sha256:…`, or both with `@` between them. A tag has 1 to "
         "128 letters, digits, `_`, `.` or `-`, neither of the last two first.")
        .required()
        .at_least(1);
inline constexpr Field image_registry =
    object("registry", registry_details,
           "Container registry that holds the image, as it was when the service was last written.")
        .read_only()
        .always_present();

inline constexpr Field image_fields[] = {image_registry_id, image_name, image_tag, image_registry};
inline constexpr Shape image_source{.name = "ContainerSource", .fields = image_fields};

// `holder` has the fields of an image. `path` is its path in the record, empty if it is the record.
void check_image(const Value& holder, std::string_view path, Violations& violations);
void complete_image(Value& holder, ValidationContext& context);

}  // namespace orlop::shapes
