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

// Validates `body`, as a client sends it, as a request to create, and puts the record, with its machine if its family
// has one. `chosen`: id of the record; nil: the unit makes one. Error conflict if a record has that id.
Result<Record> create_record(Unit& unit, const Family& family, const Id& parent, const Value& body,
                             const Id& chosen = {});

// create_record() without Hooks::created: for a caller that performs its work itself.
struct NewRecord {
  Record record;
  std::uint32_t plan_flags = 0;  // bits of PlanFlag
};
Result<NewRecord> put_new_record(Unit& unit, const Family& family, const Id& parent, const Value& body,
                                 const Id& chosen = {});

// Validates `body` as a request to edit (PUT: absent members take their default, secrets are kept) and puts the record
// if it changed; services that depend on it go OUT_OF_DATE.
Result<Record> edit_record(Unit& unit, const Family& family, Record record, const Value& body);

// Returns the warning for a create or an edit with this body; "": none.
inline std::string warning_of(const Family& family, const Value& body) {
  return family.warning == nullptr ? std::string() : family.warning(body);
}

// Removes the record and everything below it, whatever its state; error conflict while a record outside refers to one
// of them. A large tree is only marked: later commits erase it (removal.h), and reads do not find it from this commit
// on.
Result<void> remove_tree(Unit& unit, const Record& record);

}  // namespace orlop
