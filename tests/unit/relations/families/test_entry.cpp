// An entry of a scope: several parents, of which requests name one in the body, a case-sensitive key, a reference that
// is deleted with its target, and propagation. All of it is in this file.
#include "model/family.h"

namespace orlop::families::test_entry {
namespace {

constexpr std::string_view scopes[] = {"PROJECT", "ENVIRONMENT", "APPLICATION", "CONTAINER"};

constexpr Field query[] = {
    uuid("parent_id", "ID of the parent.").required(),
    enumeration("scope", scopes, "Kind of the parent.").required(),
};

constexpr Field fields[] = {
    text("key", "Key of the entry, unique in its scope; upper and lower case differ.")
        .required()
        .unique_name(Case::sensitive)
        .preserved(),
    text("value", "Value of the entry."),
    reference("aliased_id", "test_entry", "ID of the entry whose alias this is; the alias is deleted with it.")
        .nullable()
        .on_delete(OnDelete::cascade)
        .preserved(),
    uuid("entry_parent_id", "ID of the parent.").input_only(),
    enumeration("entry_scope", scopes, "Kind of the parent.").input_only(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 903,
    .name = "test_entry",
    .schema = "TestEntry",
    .segment = "testEntry",
    .id_name = "testEntryId",
    .about = "An entry of a project, an environment or a service.",
    .parents = {"project", "environment", "application", "container"},
    .parent_field = {.body = "entry_parent_id",
                     .body_family = "entry_scope",
                     .query = "parent_id",
                     .query_family = "scope",
                     .query_fields = query},
    .fields = fields,
    .propagates = Propagation::parent,
    .sample = R"({"key": "Region", "value": "eu", "entry_parent_id": "{container}", "entry_scope": "CONTAINER"})",
};

}  // namespace orlop::families::test_entry
