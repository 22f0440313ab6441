// The resource that an operation is about, with its machine.
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

// The record that the last path parameter names, of the call's family; under a nested path it must be the first one's
// child.
Result<Subject> subject_of(Unit& unit, const Call& call);

// A service of any kind.
struct Service {
  const Family* family = nullptr;
  Record record;
  Machine machine;
};
Result<Service> require_service(Unit& unit, const Id& id);

// The environment that the first path parameter names.
Result<Record> require_environment(Unit& unit, const Call& call);

// The record that a copy goes to or comes from: it must belong to this organization; that of another one is not known
// to exist.
Result<Record> require_near(Unit& unit, std::string_view family, const Id& id, const Id& organization);

// The id that the body's member holds; nothing if it is absent.
std::optional<Id> id_in(const Value& body, std::string_view name);

// The query parameter's text; "" if it is absent.
std::string_view query_text(const Call& call, std::string_view name);
bool query_flag(const Call& call, std::string_view name);
// The whole number that a query parameter gives; the fallback if it is absent or none.
std::int64_t query_integer(const Call& call, std::string_view name, std::int64_t fallback);

// An invalid request: the field, what is wrong with it, and both as the message.
Error invalid_field(std::string_view field, std::string reason);

}  // namespace orlop
