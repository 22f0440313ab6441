// The functions of which families' rules are made.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "model/family.h"

namespace orlop::shapes {

using Names = std::initializer_list<std::string_view>;

// `reason` follows the field's path in the sentence: "must be …, not …".
void refuse(Violations& violations, std::string_view field, std::string reason);
// The text in quotation marks, cut after 80 bytes.
std::string quoted(std::string_view text);
// Refuses an URL with a password, which answers would show. `instead`: the field that takes it. False if it was
// refused; the reason does not repeat it.
bool check_no_password(std::string_view url, std::string_view field, std::string_view instead, Violations& violations);
// "ports[2].name"; without a member: "ports[2]".
std::string item_path(std::string_view list, std::size_t index, std::string_view member = {});
std::string member_path(std::string_view object, std::string_view member);

// The id that the member holds; nothing if it is absent, null or no id.
std::optional<Id> id_of(const Value& object, std::string_view member);
// The text is there and not empty.
bool is_given(const Value& object, std::string_view member);
void set_absent(Value& object, std::string_view member, Value value);
// Of a new record: the place behind all others of its family below the parent, from 0.
void set_place(Value& record, std::string_view member, ValidationContext& context);
// Takes away members that are null, where the answer knows no null.
void drop_nulls(Value& object, Names members);
// Takes over what `object` lacks.
void keep_from(Value& object, const Value* previous, Names members);
// The member of the record as it was before this edit; nullptr in a create.
const Value* before(const ValidationContext& context, Names path);

// The list of the record, or an empty one.
const Value::List& items_of(const Value& record, std::string_view list);
// Refuses items of the list that hold the same in `member`; items without it are different. `path` is where `record`
// lies in the body.
void check_distinct(const Value& record, std::string_view list, std::string_view member, Violations& violations,
                    std::string_view path = {});
// Refuses an edit that makes the size of a disk smaller which is there.
void check_growth(const Value& record, Names path, ValidationContext& context, Violations& violations);
void check_order(const Value& record, std::string_view smaller, std::string_view larger, Violations& violations);
// Gives each item its id: the one it names if `previous` has it, else that of the first item of `previous` with the
// same `key`, else a new one.
void complete_ids(Value& items, const Value* previous, Names key, ValidationContext& context);

}  // namespace orlop::shapes
