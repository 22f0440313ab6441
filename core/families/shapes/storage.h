// Disks that a workload keeps its data on.
#pragma once

#include "families/shapes/rules.h"

namespace orlop::shapes {

inline constexpr std::string_view storage_types[] = {"FAST_SSD"};

inline constexpr Field storage_fields[] = {
    uuid("id", "Its id; one that the service does not have yet is replaced by a new one.").empty_is_absent(),
    enumeration("type", storage_types, "The kind of disk.").required(),
    integer("size", "Its size in GB, at least 1.").required().at_least(1),
    text("mount_point", "The folder under which the workload sees it, an absolute path.").required().at_least(1),
};
inline constexpr Shape storage_item{.name = "ServiceStorage", .fields = storage_fields};

inline constexpr Field storages =
    list_of("storage", storage_item, "The disks it keeps its data on.").at_most(100).defaults_to_empty();

void check_storage(const Value& record, Violations& violations);
void complete_storage(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
