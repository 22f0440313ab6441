// A family below the own path of a nested parent.
#include "model/family.h"

namespace orlop::families {
namespace {

constexpr Field fields[] = {text("text", "Text of the note.").required()};

}  // namespace

extern const Family test_cluster_note;
constexpr Family test_cluster_note = {
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

}  // namespace orlop::families
