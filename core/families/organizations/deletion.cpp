// The mark of trees that are being deleted (unit/deletions.h). Its job is below it.
#include "base/deletion_number.h"
#include "model/family.h"

namespace orlop::families::deletion {
namespace {

constexpr Field fields[] = {
    text("roots", "IDs of the records that are deleted with all that lies below them, without separators.")
        .required()
        .at_most(std::int64_t{1} << 40),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = deletion_number,
    .name = "deletion",
    .schema = "DeletionRecord",
    .about =
        "A deletion marks trees that are being deleted: no request sees them. It has no parent, so that one list holds "
        "all marks of a store.",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"roots": "01900000-0000-7000-8000-000000000001"})",
};

}  // namespace orlop::families::deletion
