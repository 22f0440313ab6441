// Requests about blueprints in environments.
#pragma once

#include "catalogs/blueprint_settings.h"
#include "model/field.h"

namespace orlop::blueprint_shapes {

inline constexpr Field name =
    text("name", "Name of the service that the blueprint makes, 1 to 255 bytes.").required().at_least(1).at_most(255);
inline constexpr Field tag =
    text("tag", "Tag of the blueprint, as in the catalogue.").required().at_least(1).at_most(255);
inline constexpr Field icon = uri("icon", "URL of the icon of the service.").required();

inline constexpr Field update_fields[] = {
    name,
    tag,
    icon,
    open_object("variables",
                "Values that change, by name of the variable: each an object with `value` and `is_secret`, or null to "
                "take the value away. Others are kept."),
    object("spec_overrides", spec_overrides,
           "Settings of the tool that deploys the blueprint. Null or absent: they are kept.")
        .nullable(),
};
inline constexpr Shape update_request = {.name = "BlueprintUpdateRequest", .fields = update_fields};

}  // namespace orlop::blueprint_shapes
