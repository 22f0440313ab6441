// The five generic operations of every family, and the parts of them that operation sets and deployments use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/call.h"
#include "ops/unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Handlers. Path parameters: create and list: the parent's id (none for a root); a flat family's read, edit, remove: its own id; a nested
// family's: the parent's id, then its own.
Result<Answer> create(Unit& unit, const Call& call);
Result<Answer> list(Unit& unit, const Call& call);
Result<Answer> read(Unit& unit, const Call& call);
Result<Answer> edit(Unit& unit, const Call& call);
Result<Answer> remove(Unit& unit, const Call& call);
// create(), or create_many(), and edit() of families that name git repositories: the branch of one that names none is its default branch, where external systems answer
// `list_repositories`. Where they fail it is `main`, and the answer warns of it.
Result<Answer> create_from_git(Unit& unit, const Call& call);
Result<Answer> edit_from_git(Unit& unit, const Call& call);

// The record `id`, which must be of `family`; else the error not_found that every verb gives.
Result<Record> require(Unit& unit, const Family& family, const Id& id);
Result<Machine> require_machine(Unit& unit, const Id& id);

// The first record of `family` directly below `parent`; nothing if there is none. For families of one record per parent.
Result<Shared<Record>> find_child(Unit& unit, const Id& parent, FamilyNumber family);

// Validates `body` as a request to create and puts the record, with its machine if its family has one. `body` as a client gives it.
// `chosen`: the id of the record; nil: the unit makes one. Error conflict if a record has it.
Result<Record> create_record(Unit& unit, const Family& family, const Id& parent, const Value& body, const Id& chosen = {});

// The same without what the record brings along (Hooks::created): for a caller that puts that itself.
struct NewRecord {
  Record record;
  std::uint32_t plan_flags = 0;  // bits of PlanFlag
};
Result<NewRecord> put_new_record(Unit& unit, const Family& family, const Id& parent, const Value& body, const Id& chosen = {});

// Validates `body` as a request to edit (PUT: what is absent takes its default, secrets are kept) and puts the record if it changed;
// what depends on it goes OUT_OF_DATE.
Result<Record> edit_record(Unit& unit, const Family& family, Record record, const Value& body);

// What the answer of a create or an edit with this body warns of; "": nothing.
inline std::string warning_of(const Family& family, const Value& body) { return family.warning == nullptr ? std::string() : family.warning(body); }

// The stored record as a value with its secrets in place: for rules, clones and the configuration of steps.
Result<Value> full_value(const Record& record);
// `full_value` as JSON text.
Result<std::string> full_text(const Record& record);
// `full_value` as a body that create_record accepts again: without read-only fields.
Result<Value> as_request(const Family& family, const Record& record);

// Removes the record and everything below it, whatever its state; refused (conflict) while another record outside refers to one of them.
// A large tree is only marked: it goes in commits of its own (removal.h), and reads as gone from this one on.
Result<void> remove_tree(Unit& unit, const Record& record);

// Whether answers of the family hold more than the stored text.
bool has_computed(const Family& family);
// Whether the stored texts of the family are changed for an answer.
bool is_presented(const Family& family);

// The values of one computed field, one for each record.
struct ComputedColumn {
  std::string_view name;
  std::vector<std::string> values;
};
// The computed fields of the family. Needs no texts of the records.
Result<std::vector<ComputedColumn>> compute_all(Unit& unit, const Family& family, std::span<const Record> records);
// The stored text of the record at this place, with its computed fields before the last brace.
void write_with(Writer& out, std::string_view body, std::span<const ComputedColumn> columns, std::size_t at);

// The public answers of records of one family, in their order: the stored text with what is computed spliced in. A computed field asks the
// store for all of them at once.
Result<std::vector<std::string>> render_all(Unit& unit, const Family& family, std::span<const Record> records);
// That of one record.
Result<std::string> render(Unit& unit, const Family& family, Record record);

// {"results": [...]} of records in their answer form, or a page of them when the query asks for one.
Result<Answer> render_list(Unit& unit, const Call& call, const Family& family, const std::vector<Record>& records);
// Those that have the name in the query, where the family's lists are read by name (is_found_by_name) and the query has one; else all.
std::vector<Record> keep_named(const Call& call, const Family& family, std::vector<Record> records);

// The same of answers that are already made.
Result<Answer> page_of_texts(const Call& call, std::span<const std::string> texts);

// The name that the record carries ("" if its family has none).
std::string name_of(const Record& record);

}  // namespace orlop
