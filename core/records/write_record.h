// Creation, change and removal of a record by the rules of its family.
#pragma once

#include <cstdint>
#include <string>

#include "base/id.h"
#include "base/result.h"
#include "model/family.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Validates `body` as a request to create and puts the record, with its machine if its family has one. `body` as a
// client gives it. `chosen`: the id of the record; nil: the unit makes one. Error conflict if a record has it.
Result<Record> create_record(Unit& unit, const Family& family, const Id& parent, const Value& body,
                             const Id& chosen = {});

// The same without what the record brings along (Hooks::created): for a caller that puts that itself.
struct NewRecord {
  Record record;
  std::uint32_t plan_flags = 0;  // bits of PlanFlag
};
Result<NewRecord> put_new_record(Unit& unit, const Family& family, const Id& parent, const Value& body,
                                 const Id& chosen = {});

// Validates `body` as a request to edit (PUT: what is absent takes its default, secrets are kept) and puts the record
// if it changed; what depends on it goes OUT_OF_DATE.
Result<Record> edit_record(Unit& unit, const Family& family, Record record, const Value& body);

// What the answer of a create or an edit with this body warns of; "": nothing.
inline std::string warning_of(const Family& family, const Value& body) {
  return family.warning == nullptr ? std::string() : family.warning(body);
}

// Removes the record and everything below it, whatever its state; refused (conflict) while another record outside
// refers to one of them. A large tree is only marked: it goes in commits of its own (removal.h), and reads as gone from
// this one on.
Result<void> remove_tree(Unit& unit, const Record& record);

}  // namespace orlop
