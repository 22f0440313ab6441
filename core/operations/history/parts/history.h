// What histories of environments and of services have in common.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/field.h"
#include "ops/call.h"
#include "ops/unit/unit.h"
#include "operations/history/parts/request_entry.h"
#include "wire/writer.h"

namespace orlop {

// The requests of an environment that began, the newest first. `service`: with nothing but what they say of it; nil: with all.
Result<std::vector<RequestEntry>> entries_of(Unit& unit, const Id& environment, const Id& service = {});

// Number of entries of a history: the query's pageSize (20 if absent).
std::size_t history_size(const Call& call);
inline constexpr std::size_t history_size_default = 20;

// Of a history that is read from a request on: those after it (older than it); all if it is nil or not there.
std::span<const RequestEntry> entries_from(const std::vector<RequestEntry>& entries, const Id& start);

// The icon of a service that a request was about: `given` unless that is empty, else the service's own, else that of its kind.
Result<std::string> icon_of(Unit& unit, const Id& service, std::string_view given, std::string_view kind);

// One service in a request, in the newer form.
Result<void> write_service_entry(Unit& unit, Writer& out, const ServiceEntry& service, const RequestBody& body);

// The answer with the first entries, at most `size`, as one page. `write` writes one; false if the entry does not belong there.
using WriteEntry = std::function<Result<bool>(Writer& out, const RequestEntry& entry)>;
Result<Answer> history_page(std::span<const RequestEntry> entries, std::size_t size, const WriteEntry& write);

inline constexpr Field page_query[] = {integer("pageSize",
    "Maximum number of requests to return, 1 to 1000. Default: 20.").at_least(1).at_most(1000)};
inline constexpr Field start_query[] = {uuid("startId", "Return only requests older than the one with this ID.")};

}  // namespace orlop
