// A note belongs to one of three kinds of services; its key is case-sensitive.
#include "model/family.h"

namespace orlop::families::test_note {
namespace {

constexpr Field fields[] = {
    text("key", "Key of the note, unique within the service; upper and lower case differ.")
        .required()
        .unique_name(Case::sensitive),
    text("text", "Text of the note. Default: empty.").defaults_to(""),
    reference("token_id", "git_token", "ID of a git token.").nullable(),
    copied(text("token_name", "Name of the git token."), "token_id", "name"),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 900,
    .name = "test_note",
    .schema = "TestNote",
    .segment = "testNote",
    .id_name = "testNoteId",
    .about = "A note about a service.",
    .parents = {"application", "container", "helm"},
    .path = PathForm::nested,
    .fields = fields,
    .sample = R"({"key": "Owner", "text": "The team of the shop."})",
};

}  // namespace orlop::families::test_note
