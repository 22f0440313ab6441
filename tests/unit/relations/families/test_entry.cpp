// An entry of a scope: with several parents, of which requests name one in the body, a key with case, a value that is a secret by a flag, references that go or are
// cleared with what they name, propagation, inheritance and two representations. All of it is in this one file.
#include "model/family.h"

namespace orlop::families::test_entry {
namespace {

constexpr std::string_view scopes[] = {"PROJECT", "ENVIRONMENT", "APPLICATION", "CONTAINER"};

constexpr Field query[] = {
    uuid("parent_id", "ID of the parent.").required(),
    enumeration("scope", scopes, "Kind of the parent.").required(),
};

constexpr Field fields[] = {
    text("key", "Key of the entry, unique in its scope; upper and lower case differ.").required().unique_name(Case::sensitive).preserved(),
    text("value", "Value of the entry. Null while `is_secret`.").secret_if("is_secret"),
    boolean("is_secret", "Seal the value. Default: false.").defaults_to(false).preserved(),
    reference("aliased_id", "test_entry", "ID of the entry whose alias this is; the alias is deleted with it.").nullable().on_delete(OnDelete::cascade).preserved(),
    reference("related_id", "test_entry", "ID of a related entry; cleared when that is deleted.").nullable().on_delete(OnDelete::clear).preserved(),
    uuid("entry_parent_id", "ID of the parent.").input_only(),
    enumeration("entry_scope", scopes, "Kind of the parent.").input_only(),
};

constexpr Field public_fields[] = {
    text("key", "Key of the entry.").required().unique_name(Case::sensitive).preserved(),
    text("value", "Value of the entry."),
};
constexpr Field secret_fields[] = {text("key", "Key of the entry.").required().unique_name(Case::sensitive).preserved()};

bool is_public(const Value& record) { return !record.boolean_or("is_secret", false); }
bool is_secret(const Value& record) { return record.boolean_or("is_secret", false); }
void hide_flag(Value& answer) { answer.erase("is_secret"); }
void hide_value(Value& answer) {
  answer.erase("is_secret");
  answer.erase("value");
}
void make_public(Value& body) { body.set("is_secret", Value(false)); }
void make_secret(Value& body) { body.set("is_secret", Value(true)); }

constexpr Representation representations[] = {
    {.name = "test_public_entry", .schema = "TestPublicEntry", .segment = "testPublicEntry", .id_name = "testPublicEntryId", .fields = public_fields,
     .filter = is_public, .render = hide_flag, .request = make_public},
    {.name = "test_secret_entry", .schema = "TestSecretEntry", .segment = "testSecretEntry", .id_name = "testSecretEntryId",
     .parents = {"project", "container"}, .verbs = Verb::create | Verb::list | Verb::remove, .create_status = 200, .fields = secret_fields,
     .filter = is_secret, .render = hide_value, .request = make_secret},
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
    .parent_field = {.body = "entry_parent_id", .body_family = "entry_scope", .query = "parent_id", .query_family = "scope", .query_fields = query},
    .fields = fields,
    .propagates = Propagation::subtree,
    .representations = representations,
    .is_inherited = true,
    .sample = R"({"key": "Region", "value": "eu", "entry_parent_id": "{container}", "entry_scope": "CONTAINER"})",
};

}  // namespace orlop::families::test_entry
