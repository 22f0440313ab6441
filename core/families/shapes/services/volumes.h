// Volumes of a workload.
#pragma once

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view storage_types[] = {"FAST_SSD"};

inline constexpr Field storage_fields[] = {
    uuid("id",
         "ID of the volume. Give the ID of an existing volume to change it; an unknown ID is replaced by a new "
         "one.")
        .empty_is_absent()
        .always_present(),
    enumeration("type", storage_types,
                "Storage class of the volume. `FAST_SSD`: SSD block storage of the cloud provider.")
        .required(),
    integer("size", "Size of the volume in GB, at least 1. The volume of a deployed service can only grow.")
        .required()
        .at_least(1),
    text("mount_point", "Absolute path at which the volume is mounted, unique within the service, as in `/data`.")
        .required()
        .at_least(1),
};
inline constexpr Shape storage_item{.name = "ServiceStorage", .fields = storage_fields};

inline constexpr Field storages =
    list_of("storage", storage_item,
            "Persistent volumes that are mounted into the instances, at most 100. Default: none.")
        .at_most(100)
        .defaults_to_empty();

void check_storage(const Value& record, ValidationContext& context, Violations& violations);
void complete_storage(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
