// A family below a nested parent that has a path of its own.
#include "model/family.h"

namespace orlop::families::test_cluster_note {
namespace {

constexpr Field fields[] = {
    text("text", "Text of the note.").required(),
    reference("needed_id", "test_cluster_note", "ID of a note that cannot be deleted before this one.")
        .nullable()
        .preserved(),
    reference("aliased_id", "test_cluster_note", "ID of a note with which this one is deleted.")
        .nullable()
        .on_delete(OnDelete::cascade),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 902,
    .name = "test_cluster_note",
    .schema = "TestClusterNote",
    .segment = "testClusterNote",
    .id_name = "testClusterNoteId",
    .about = "A note about a cluster.",
    .parent = "cluster",
    .parent_path = ParentPath::item,
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::none,
    .sample = R"({"text": "Replaced in May."})",
};

}  // namespace orlop::families::test_cluster_note
