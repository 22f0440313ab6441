// Resource of an operation, with its machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/family.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

struct Subject {
  Record record;
  Machine machine;
};

// Returns the record of the last path parameter, of the call's family; under a nested path it must be the child of the
// first one.
Result<Subject> subject_of(Unit& unit, const Call& call);

struct Service {
  const Family* family = nullptr;
  Record record;
  Machine machine;
};
Result<Service> require_service(Unit& unit, const Id& id);

// Returns the environment of the first path parameter.
Result<Record> require_environment(Unit& unit, const Call& call);

// Returns the source or destination of a copy, which must belong to this organization; error not_found for another
// organization's.
Result<Record> require_near(Unit& unit, std::string_view family, const Id& id, const Id& organization);

// Returns the id in the body's member; nullopt if absent.
std::optional<Id> id_in(const Value& body, std::string_view name);

// Returns the query parameter's text; "" if absent.
std::string_view query_text(const Call& call, std::string_view name);
bool query_flag(const Call& call, std::string_view name);
// Returns the query parameter as a whole number; the fallback if absent or not a number.
std::int64_t query_integer(const Call& call, std::string_view name, std::int64_t fallback);

// Makes the error of an invalid request with a violation of the field, and both as the message.
Error invalid_field(std::string_view field, std::string reason);

}  // namespace orlop
