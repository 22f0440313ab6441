// One route as an operation of OpenAPI.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "describe/openapi/schemas.h"
#include "rest/route.h"

namespace orlop {

// The group that the route belongs to: the plural of its family, or of the family that its path begins with.
std::string tag_of(const Route& route);

// One line in the imperative, without a full stop: "List the clusters of an organization".
std::string summary_of(const Route& route);
// Side effects, asynchronous outcome, states that allow it; "" if the summary says it all.
std::string description_of(const Route& route);

// The parameters of every list that has pages.
std::span<const Field> page_fields();
// Those of the lists of a family whose records are found by their names.
std::span<const Field> name_fields();
// The headers that every write may have.
std::span<const Field> write_header_fields();
Value header_parameter(const Field& field, Schemas& schemas);
Value query_parameter(const Field& field, Schemas& schemas);

// Whether the body is a request of the family, as those of the plain verbs are: it is required and has no shape.
bool takes_record(const Route& route);

// Adds the schemas it needs to `schemas`.
Value operation_of(const Route& route, Schemas& schemas);

}  // namespace orlop
