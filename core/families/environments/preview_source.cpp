// Source of a preview environment, by which the next preview of the same tag finds it.
#include "base/preview_source_number.h"
#include "model/family.h"

namespace orlop::families::preview_source {
namespace {

constexpr Field fields[] = {
    text("key", "ID of the environment of which the preview is a clone, and the tag.")
        .required()
        .unique_name(Case::sensitive)
        .immutable()
        .at_least(1),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = preview_source_number,
    .name = "preview_source",
    .schema = "PreviewSourceRecord",
    .about =
        "The environment and the tag of a preview environment. A preview of the same tag updates the environment in "
        "place of making another one.",
    .parent = "environment",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::organization,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"key": "01900000-0000-8000-8000-000000000001 pull-7"})",
};

}  // namespace orlop::families::preview_source
