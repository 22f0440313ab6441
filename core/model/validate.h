// A request body against a family's fields: every violation at once, or the record that the engine will store.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/brand.h"
#include "model/family.h"

namespace orlop {

// A check that walks a list or an object stops once it has found so many broken rules: a request cannot make the engine
// describe each of its hundred thousand faults.
inline constexpr std::size_t violations_counted_max = 1000;

enum class Purpose : std::uint8_t { create, edit };

// The record for `body`: the family's fields in their order, defaults set, what an edit keeps taken from
// around.previous(); then the family's own check and complete. Read-only fields in the body are ignored, unknown ones
// are violations. Meaningless if there are violations after the call.
Value make_record(const Family& family, const Value& body, Purpose purpose, ValidationContext& context,
                  Violations& violations);

// Sets the copied fields of the record from the records that its references name; a field without a source is left out.
void fill_copies(const Family& family, Value& record, ValidationContext& context);

// The record of a single that has not been stored: the defaults of its fields, and what `complete` makes of them.
Value make_defaults(const Family& family, ValidationContext& context);

// `body` against fields that belong to no family (an operation's body): the same, without references and rules.
// `brand`: that of the engine.
Value make_body(std::span<const Field> fields, const Value& body, Violations& violations,
                std::string_view brand = brand_default);

// A member that belongs to no field of the record, against the field that describes it, with the defaults in it. `path`
// is where it lies in the body.
Value make_member(const Field& field, const Value& given, const std::string& path, ValidationContext& context,
                  Violations& violations);

// The value of the kind that the text spells, as paths and queries hold it; nothing if it spells none. A kind other
// than boolean and integer is a text.
std::optional<Value> typed_text(FieldKind kind, std::string_view text);

// One query parameter's text as a value of its field; a violation if it does not fit.
Value parse_parameter(const Field& field, std::string_view text, Violations& violations,
                      std::string_view brand = brand_default);

// Puts the members of `record` and of the objects in it into the order of their fields; what is no field stays in front
// if it was there, and comes last else.
void arrange(std::span<const Field> fields, Value& record);

// Moves the secret members out of `record` into an object of the same outline; null if there are none.
Value split_secrets(std::span<const Field> fields, Value& record);
// Puts them back.
void join_secrets(Value& record, const Value& secrets);

// The ids that the record's reference fields name, each once.
std::vector<Id> references_of(std::span<const Field> fields, const Value& record);

// What the deletion of the record `id` means for this one, which refers to it: the strictest behaviour of the
// references that name it, or of all where none does.
OnDelete behaviour_on_delete(std::span<const Field> fields, const Value& record, const Id& id);

// The record without read-only fields: what a client would send to make it again.
Value without_read_only(std::span<const Field> fields, Value record);

// The error of a refused request: the first violation in words and the number of the others; all of them attached.
Error refusal(Violations violations);

}  // namespace orlop
