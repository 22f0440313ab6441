// Audit log of the organization: authors and targets of changes, from the newest event of the feed back.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/history/parts/audit_look.h"
#include "endpoints/history/parts/audit_names.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::history::audit {
namespace {

constexpr std::int64_t page_size_most = 100;

constexpr Field query[] = {
    integer("pageSize", "Maximum number of events on a page, 1 to 100. Default: 10.")
        .at_least(1)
        .at_most(page_size_most),
    text("fromTimestamp", "Return only events from this time on, as RFC 3339 or as Unix time in seconds."),
    text("toTimestamp", "Return only events up to this time, as RFC 3339 or as Unix time in seconds."),
    text("continueToken", "Cursor of the next (older) page, taken from `links.next` of a response."),
    text("stepBackToken", "Cursor of the previous (newer) page, taken from `links.previous` of a response."),
    enumeration("eventType", audit_types, "Return only events of this type."),
    enumeration("targetType", audit_targets, "Return only events whose target has this type."),
    uuid("targetId", "Return only events about the target with this ID."),
    enumeration("subTargetType", audit_sub_targets, "Return only events about this part of a target."),
    text("triggeredBy", "Return only events that this caller triggered."),
    enumeration("origin", audit_origins, "Return only events from this origin."),
    uuid("serviceProjectId", "Return only events in the project with this ID."),
    uuid("serviceEnvironmentId", "Return only events in the environment with this ID."),
};

constexpr std::string_view kept_in_links[] = {"pageSize",   "fromTimestamp",    "toTimestamp",         "eventType",
                                              "targetType", "targetId",         "subTargetType",       "triggeredBy",
                                              "origin",     "serviceProjectId", "serviceEnvironmentId"};

// Makes the id of a line from the time and the number of its event.
Id id_of(const Event& event) {
  Id id;
  const auto at = static_cast<std::uint64_t>(event.at.milliseconds);
  for (std::size_t byte = 0; byte < 6; ++byte) id.bytes[byte] = static_cast<std::uint8_t>(at >> (40 - 8 * byte));
  id.bytes[6] = 0x70;
  id.bytes[8] = 0x80;
  for (std::size_t byte = 0; byte < 7; ++byte)
    id.bytes[9 + byte] = static_cast<std::uint8_t>(event.sequence >> (48 - 8 * byte));
  return id;
}

Result<std::string> name_of(AuditedRecords& names, const AuditEntry& entry, const Id& id) {
  const bool is_subject = id == entry.event.subject;
  if (const std::string_view noted = entry.detail.text_or("name", ""); is_subject && !noted.empty())
    return std::string(noted);
  ORLOP_TRY(known, names.find(id));
  return known ? known->name : names.noted_name(id);
}

Result<void> write_place(Writer& out, AuditedRecords& names, const AuditEntry& entry, std::string_view kind,
                         const std::optional<Id>& id) {
  const std::string id_name = std::string(kind) + "_id";
  if (!id) {
    out.field_null(id_name);
    return {};
  }
  ORLOP_TRY(name, name_of(names, entry, *id));
  out.field(id_name, *id);
  if (!name.empty()) out.field(std::string(kind) + "_name", name);
  return {};
}

// Returns the names of the changed fields, or the change of state, never values.
std::string change_of(const AuditEntry& entry) {
  Value change = entry.detail;
  change.erase("origin");
  change.erase("triggered_by");
  if (entry.names.is_of_owner) change.set("id", Value(to_text(entry.event.subject)));
  return to_json(change);
}

Result<void> write_entry(Writer& out, AuditedRecords& names, const AuditEntry& entry) {
  ORLOP_TRY(target_name, name_of(names, entry, entry.target));
  out.begin_object().field("id", id_of(entry.event)).field("timestamp", entry.event.at);
  out.field("event_type", entry.names.type).field("target_id", entry.target).field("target_name", target_name);
  out.field("target_type", entry.names.target);
  if (!entry.names.sub_target.empty()) out.field("sub_target_type", entry.names.sub_target);
  out.field("change", change_of(entry)).field("origin", entry.origin).field("triggered_by", entry.event.author);
  ORLOP_CHECK(write_place(out, names, entry, "project", entry.project));
  ORLOP_CHECK(write_place(out, names, entry, "environment", entry.environment));
  out.field_null("user_agent").field_null("original_change").end_object();
  return {};
}

void append_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                          (byte >= 'A' && byte <= 'Z') ||
                          std::string_view("-._~").find(letter) != std::string_view::npos;
    if (is_plain) {
      out += letter;
    } else {
      out.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
  }
}

std::string link_of(const Call& call, std::string_view token_name, std::uint64_t token) {
  std::string link =
      "/organization/" + to_text(call.ids.front()) + "/events?" + std::string(token_name) + "=" + std::to_string(token);
  for (const std::string_view name : kept_in_links) {
    const auto given = call.query->find(name);
    if (!given) continue;
    link.append("&").append(name).append("=");
    append_encoded(link, *given);
  }
  return link;
}

void write_links(Writer& out, const Call& call, const AuditFilter& filter, const AuditPage& page) {
  const bool is_empty = page.entries.empty();
  out.key("links").begin_object();
  if (filter.after) {
    if (page.has_more) out.field("previous", link_of(call, "stepBackToken", page.seen_to));
    out.field("next",
              link_of(call, "continueToken", is_empty ? *filter.after + 1 : page.entries.back().event.sequence));
  } else {
    const std::uint64_t newest = is_empty ? filter.before.value_or(1) - 1 : page.entries.front().event.sequence;
    if (filter.before) out.field("previous", link_of(call, "stepBackToken", newest));
    if (page.has_more) out.field("next", link_of(call, "continueToken", page.seen_to));
  }
  out.end_object();
}

Result<Answer> list_events(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  (void)organization;
  ORLOP_TRY(filter, audit_filter(call));
  AuditedRecords names(unit);
  ORLOP_TRY(page, look_at_audit(unit, call, filter, names));
  Writer out;
  out.begin_object();
  write_links(out, call, filter, page);
  out.field("organization_max_limit_reached", false).key("events").begin_list();
  for (const AuditEntry& entry : page.entries) ORLOP_CHECK(write_entry(out, names, entry));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field event_fields[] = {
    uuid("id", "ID of the audit event."),
    date_time("timestamp", "Time of the event, in UTC."),
    enumeration("event_type", audit_types, "Type of the event: what happened to the target."),
    uuid("target_id", "ID of the target. Null: the event has no target.").nullable(),
    text("target_name", "Name of the target. Empty if the target was deleted and its name is no longer stored."),
    enumeration("target_type", audit_targets, "Type of the target, as in `ENVIRONMENT`."),
    enumeration("sub_target_type", audit_sub_targets,
                "Part of the target that the event concerns. Absent: the target itself."),
    text("change",
         "Details as JSON text: the names of changed fields, or the reason of a failure. It never contains values of "
         "fields."),
    enumeration("origin", audit_origins, "Origin of the request that caused the event."),
    text("triggered_by", "Name of the caller that triggered the event."),
    uuid("project_id", "ID of the project that is or contains the target. Null: none.").nullable(),
    text("project_name", "Name of that project."),
    uuid("environment_id", "ID of the environment that is or contains the target. Null: none.").nullable(),
    text("environment_name", "Name of that environment."),
    text("user_agent", "User agent of the request. Always null: the engine does not record it.").nullable(),
    text("original_change", "Original form of `change`. Always null: the engine does not record it.").nullable(),
};
constexpr Shape event_shape = {.name = "OrganizationEventResponse", .fields = event_fields};
constexpr Field links_fields[] = {
    text("previous", "Path and query of the previous (newer) page. Absent on the newest page."),
    text("next", "Path and query of the next (older) page. Absent on the oldest page."),
};
constexpr Shape links_shape = {.name = "OrganizationEventLinks", .fields = links_fields};
constexpr Field answer_fields[] = {
    object("links", links_shape, "Links to the adjacent pages."),
    boolean("organization_max_limit_reached",
            "True if the plan of the organization hides further events. Always false."),
    list_of("events", event_shape, "Audit events of the page, newest first."),
};
constexpr Shape answer_shape = {.name = "OrganizationEventResponseList", .fields = answer_fields};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/events",
     .name = "list_organization_events",
     .handle = list_events,
     .query = query,
     .form = AnswerForm::shape,
     .answer = &answer_shape,
     .summary = "List the audit log of an organization",
     .about =
         "Returns changes, deployment requests and their outcomes with the caller that triggered them, newest first.",
     .need = Level::administer},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::history::audit
