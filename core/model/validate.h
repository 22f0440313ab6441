// Validates a request body against a family's fields. Returns every violation at once, or the record to store.
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

// A check of a list or an object stops after this number of violations, so that a request with a hundred thousand
// faults stays cheap.
inline constexpr std::size_t violations_counted_max = 1000;

enum class Purpose : std::uint8_t { create, edit };

// Returns the record for `body`: the family's fields in their order, with defaults and, in an edit, values preserved
// from context.previous(). Then calls the family's check and complete. Ignores read-only fields in the body; unknown
// fields are violations. The result is meaningless if there are violations after the call.
Value make_record(const Family& family, const Value& body, Purpose purpose, ValidationContext& context,
                  Violations& violations);

// Sets the copied fields from the records that the references name. Omits a field without a source.
void fill_copies(const Family& family, Value& record, ValidationContext& context);

// Returns the record of a single that is not stored: the defaults of its fields, after `complete`.
Value make_defaults(const Family& family, ValidationContext& context);

// Validates the body of an operation in the same manner, without references and rules. `brand`: brand of the engine.
Value make_body(std::span<const Field> fields, const Value& body, Violations& violations,
                std::string_view brand = brand_default);

// Validates a value that is not a field of the record, and sets its defaults. `path`: path of the value in the body.
Value make_member(const Field& field, const Value& given, const std::string& path, ValidationContext& context,
                  Violations& violations);

// Parses the text of a path or query parameter as a value of the kind; nullopt if it is not one. Kinds other than
// boolean and integer are texts.
std::optional<Value> typed_text(FieldKind kind, std::string_view text);

// Parses the text of a query parameter; adds a violation if it is invalid.
Value parse_parameter(const Field& field, std::string_view text, Violations& violations,
                      std::string_view brand = brand_default);

// Sorts the members of `record` and of nested objects by the order of their fields. Leading members that are not fields
// stay in front; others come last.
void arrange(std::span<const Field> fields, Value& record);

// Moves the secret members out of `record` into an object of the same structure; null if there are none.
Value split_secrets(std::span<const Field> fields, Value& record);
// Moves the secrets back into the record.
void join_secrets(Value& record, const Value& secrets);

// Returns the distinct ids in the record's reference fields.
std::vector<Id> references_of(std::span<const Field> fields, const Value& record);

// Returns what happens to this record if the record `id` to which it refers is deleted: the strictest behaviour of the
// references that name it, or of all references if none does.
OnDelete behaviour_on_delete(std::span<const Field> fields, const Value& record, const Id& id);

// Returns the record without read-only fields: the body with which a client would create it again.
Value without_read_only(std::span<const Field> fields, Value record);

// Returns the error of a refused request. The message has the first violation and the number of the others; all are
// attached.
Error refusal(Violations violations);

}  // namespace orlop
