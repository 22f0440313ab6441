// Common parts of the histories of environments and services.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "endpoints/history/parts/request_entry.h"
#include "model/field.h"
#include "unit/operation.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Returns the requests of an environment that have begun, newest first. `service`: each reduced to this service; nil:
// with all services.
Result<std::vector<RequestEntry>> entries_of(Unit& unit, const Id& environment, const Id& service = {});

// Number of entries of a history: the query's pageSize (20 if absent).
std::size_t history_size(const Call& call);
inline constexpr std::size_t history_size_default = 20;

// Returns the entries after (older than) the request `start`; all if it is nil or not found.
std::span<const RequestEntry> entries_from(const std::vector<RequestEntry>& entries, const Id& start);

// Returns the icon of a service in a request: `given` unless empty, else the service's own, else that of its kind.
Result<std::string> icon_of(Unit& unit, const Id& service, std::string_view given, std::string_view kind);

// Writes a service of a request in the newer form.
Result<void> write_service_entry(Unit& unit, Writer& out, const ServiceEntry& service, const RequestBody& body);

// Writes members of the older form: image, schedule, chart, and the commit if the request deployed it. None if they are
// not known.
void write_version(Writer& out, const ServiceEntry& service, const RequestBody& body);

// Answers with the first entries, at most `size`, as one page. `write` writes one; it returns false to skip the entry.
using WriteEntry = std::function<Result<bool>(Writer& out, const RequestEntry& entry)>;
Result<Answer> history_page(std::span<const RequestEntry> entries, std::size_t size, const WriteEntry& write);

inline constexpr Field commit_fields[] = {
    text("git_commit_id", "ID of the commit.").required(),
    date_time("created_at", "Time of the commit.").required(),
    text("author_name", "Author of the commit. Empty: not known.").required(),
    text("message", "Message of the commit. Empty: not known.").required(),
    text("tag", "Git tag of the commit. Empty: none.").required(),
};
inline constexpr Shape commit = {.name = "DeployedCommit", .fields = commit_fields};
inline constexpr std::string_view schedule_events[] = {"ON_START", "ON_STOP", "ON_DELETE", "CRON"};
inline constexpr Field past_schedule_fields[] = {
    enumeration("event", schedule_events, "Event on which the job runs. Absent: none of those of the request."),
    text("schedule_at", "Cron schedule of the job. Null: it has none.").nullable(),
};
inline constexpr Shape past_schedule = {.name = "DeploymentHistoryJobSchedule", .fields = past_schedule_fields};
inline constexpr Field past_chart_fields[] = {
    text("chart_name", "Name of the chart."),
    text("chart_version", "Version of the chart."),
};
inline constexpr Shape past_chart = {.name = "DeploymentHistoryHelmRepository", .fields = past_chart_fields};
// Members of write_version(), by the kind of the service.
inline constexpr Field deployed_commit =
    object("commit", commit,
           "Commit that the request deployed. Null: it deployed none, or the service "
           "is not built from git.")
        .nullable();
inline constexpr Field past_image_name = text("image_name", "Name of the image. Absent: the job is built from git.");
inline constexpr Field past_tag = text("tag", "Tag of the image.");
inline constexpr Field past_arguments = list_of("arguments", FieldKind::text, "Arguments of the container.");
inline constexpr Field past_entrypoint = text("entrypoint", "Entrypoint of the container. Absent: that of the image.");
inline constexpr std::array application_version = {deployed_commit};
inline constexpr std::array container_version = {past_image_name, past_tag, past_arguments, past_entrypoint};
inline constexpr std::array job_version = {past_image_name, past_tag,
                                           deployed_commit, object("schedule", past_schedule, "Schedule of the job."),
                                           past_arguments,  past_entrypoint};
inline constexpr std::array helm_version = {
    deployed_commit,
    object("repository", past_chart, "Chart in a Helm repository. Null: the chart lies in git.").nullable()};

template <std::size_t first, std::size_t second>
constexpr auto joined(const std::array<Field, first>& fields, const std::array<Field, second>& more) {
  std::array<Field, first + second> all;
  std::ranges::copy(more, std::ranges::copy(fields, all.begin()).out);
  return all;
}

inline constexpr Field page_query[] = {
    integer("pageSize", "Maximum number of requests to return, 1 to 1000. Default: 20.").at_least(1).at_most(1000)};
inline constexpr Field start_query[] = {uuid("startId", "Return only requests older than the one with this ID.")};

}  // namespace orlop
