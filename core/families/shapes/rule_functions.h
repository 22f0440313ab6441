// Functions for the rules of families.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "model/family.h"

namespace orlop::shapes {

using Names = std::initializer_list<std::string_view>;

// `reason` follows the field's path in the message: "must be …, not …".
void refuse(Violations& violations, std::string_view field, std::string reason);
// Returns the text in quotation marks, cut after 80 bytes.
std::string quoted(std::string_view text);
// Refuses a URL with a password, which responses would show. `instead`: the field for the password. Returns false if it
// was refused; the message does not repeat the URL.
bool check_no_password(std::string_view url, std::string_view field, std::string_view instead, Violations& violations);
// Returns "ports[2].name", or "ports[2]" without a member.
std::string item_path(std::string_view list, std::size_t index, std::string_view member = {});
std::string member_path(std::string_view object, std::string_view member);

// Returns the id in the member, or nullopt if it is absent, null or not an id.
std::optional<Id> id_of(const Value& object, std::string_view member);
// Reports whether the text is present and not empty.
bool is_given(const Value& object, std::string_view member);
void set_absent(Value& object, std::string_view member, Value value);
// In a create, sets the member to the record's position after its siblings, counted from 0.
void set_place(Value& record, std::string_view member, ValidationContext& context);
// Removes null members, where the response must not have null.
void drop_nulls(Value& object, Names members);
// Copies members that `object` lacks from `previous`.
void keep_from(Value& object, const Value* previous, Names members);
// Returns the member of the record before this edit; null in a create.
const Value* before(const ValidationContext& context, Names path);

// Returns the list of the record, or an empty one.
const Value::List& items_of(const Value& record, std::string_view list);
// Refuses items of the list with the same value in `member`, except items without it. `path` is the path of `record` in
// the body.
void check_distinct(const Value& record, std::string_view list, std::string_view member, Violations& violations,
                    std::string_view path = {});
// Refuses an edit that shrinks an existing disk.
void check_growth(const Value& record, Names path, ValidationContext& context, Violations& violations);
void check_order(const Value& record, std::string_view smaller, std::string_view larger, Violations& violations);
// Gives each item its id: the given one if `previous` has it, else that of the first item of `previous` with the same
// `key`, else a new one.
void complete_ids(Value& items, const Value* previous, Names key, ValidationContext& context);

}  // namespace orlop::shapes
