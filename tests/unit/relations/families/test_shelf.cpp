// A family with a sub-resource (test_box.cpp): the two need no other files.
#include "model/family.h"

namespace orlop::families::test_shelf {
namespace {

constexpr Field fields[] = {
    text("name", "Name of the shelf, unique within the project.").required().unique_name(),
    text("pin", "Secret of the lock. Never returned.").secret().nullable(),
    reference("token_id", "git_token", "ID of a git token.").nullable(),
    copied(text("token_name", "Name of the git token."), "token_id", "name"),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 905,
    .name = "test_shelf",
    .schema = "TestShelf",
    .segment = "testShelf",
    .id_name = "testShelfId",
    .about = "A shelf of a project.",
    .parent = "project",
    .fields = fields,
    .sample = R"({"name": "left"})",
};

}  // namespace orlop::families::test_shelf
