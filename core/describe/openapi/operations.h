// One route as an operation of OpenAPI.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "describe/openapi/schemas.h"
#include "rest/route.h"

namespace orlop {

// Returns the tag of the route: the plural of its family, or of the family that its path begins with.
std::string tag_of(const Route& route);

// Returns one line in the imperative, without a full stop: "List the clusters of an organization".
std::string summary_of(const Route& route);
// Describes side effects, asynchronous outcome and states that allow the operation; "" if the summary is enough.
std::string description_of(const Route& route);

// Parameters of every list with pages.
std::span<const Field> page_fields();
// Parameters of the lists of families whose records can be found by name.
std::span<const Field> name_fields();
// Headers that every write may have.
std::span<const Field> write_header_fields();
Value header_parameter(const Field& field, Schemas& schemas);
Value query_parameter(const Field& field, Schemas& schemas);

// Reports whether the body is a record of the family, as for plain verbs: it is required and has no shape.
bool takes_record(const Route& route);

// Also adds the schemas that the operation needs to `schemas`.
Value operation_of(const Route& route, Schemas& schemas);

}  // namespace orlop
