// A flag names its parent in the body, and lists of flags name it in the query.
#include "model/family.h"

namespace orlop::families::test_flag {
namespace {

constexpr std::string_view scopes[] = {"PROJECT", "ENVIRONMENT", "CONTAINER"};

constexpr Field query[] = {
    uuid("parent_id", "ID of the parent.").required(),
    enumeration("scope", scopes, "Kind of the parent.").required(),
};

constexpr Field fields[] = {
    text("name", "Name of the flag.").required().unique_name().preserved(),
    uuid("flag_parent_id", "ID of the parent.").input_only(),
    enumeration("flag_scope", scopes, "Kind of the parent.").input_only(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 901,
    .name = "test_flag",
    .schema = "TestFlag",
    .segment = "testFlag",
    .id_name = "testFlagId",
    .about = "A flag of a project, an environment or a container.",
    .parents = {"project", "environment", "container"},
    .parent_field = {.body = "flag_parent_id",
                     .body_family = "flag_scope",
                     .query = "parent_id",
                     .query_family = "scope",
                     .query_fields = query},
    .fields = fields,
    .sample = R"({"name": "dark-mode", "flag_parent_id": "{container}", "flag_scope": "CONTAINER"})",
};

}  // namespace orlop::families::test_flag
