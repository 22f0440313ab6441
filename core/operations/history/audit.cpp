// The organization's audit log: who did what to which resource, from the newest event of the feed back.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "ops/verbs.h"
#include "operations/history/parts/audit_names.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::int64_t page_size_default = 10;
constexpr std::int64_t page_size_most = 100;
// How many events one request looks at: a filter that fits nothing ends there, and the next page goes on.
constexpr std::size_t looked_at_max = 10'000;

constexpr Field query[] = {
    integer("pageSize", "Maximum number of events on a page, 1 to 100. Default: 10.").at_least(1).at_most(page_size_most),
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

constexpr std::string_view kept_in_links[] = {"pageSize",      "fromTimestamp", "toTimestamp", "eventType",        "targetType",          "targetId",
                                              "subTargetType", "triggeredBy",   "origin",      "serviceProjectId", "serviceEnvironmentId"};

struct Filter {
  std::int64_t page_size = page_size_default;
  Instant from;
  Instant to = {INT64_MAX};
  std::optional<std::uint64_t> before;  // of continueToken
  std::optional<std::uint64_t> after;   // of stepBackToken
};

// An event with all that its line says of it.
struct Entry {
  Event event;
  AuditNames names;
  Id target;
  std::optional<Id> project;
  std::optional<Id> environment;
  std::string origin;
  Value detail = Value::object();
};

struct Known {
  std::string name;
  Id parent;
};

// Records of the entries, each read once.
class Names {
 public:
  explicit Names(Unit& unit) : unit_(unit) {}
  // Nothing if it has gone.
  Result<std::optional<Known>> find(const Id& id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    std::optional<Known> found;
    ORLOP_TRY(record, unit_.record(id));
    if (record) found = Known{name_of(*record), record->parent};
    return known_.emplace(id, std::move(found)).first->second;
  }

  // The name that an event of the page holds of a record that may be deleted.
  void remember(const Id& id, std::string_view name) { told_.emplace(id, name); }
  std::string noted_name(const Id& id) const {
    const auto found = told_.find(id);
    return found == told_.end() ? std::string() : found->second;
  }

 private:
  Unit& unit_;
  std::map<Id, std::optional<Known>> known_;
  std::map<Id, std::string> told_;
};

std::optional<Instant> instant_of(std::string_view text) {
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  constexpr std::int64_t seconds_max = 1'000'000'000'000;
  if (error == std::errc() && end == text.data() + text.size() && whole >= 0 && whole < seconds_max) return Instant{whole * 1000};
  return parse_instant(text);
}

Result<void> take_time(const Call& call, std::string_view name, Instant& into) {
  const auto text = call.query->find(name);
  if (!text) return {};
  const auto instant = instant_of(*text);
  if (!instant) return invalid_field(name, "must be a time as in 2026-01-01T00:00:00Z, or Unix seconds");
  into = *instant;
  return {};
}

Result<void> take_token(const Call& call, std::string_view name, std::optional<std::uint64_t>& into) {
  const auto text = call.query->find(name);
  if (!text) return {};
  std::uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), sequence);
  if (error != std::errc() || end != text->data() + text->size()) return invalid_field(name, "must be a token of a page's links");
  into = sequence;
  return {};
}

Result<Filter> filter_of(const Call& call) {
  Filter filter;
  filter.page_size = query_integer(call, "pageSize", page_size_default);
  ORLOP_CHECK(take_time(call, "fromTimestamp", filter.from));
  ORLOP_CHECK(take_time(call, "toTimestamp", filter.to));
  ORLOP_CHECK(take_token(call, "continueToken", filter.before));
  ORLOP_CHECK(take_token(call, "stepBackToken", filter.after));
  return filter;
}

bool asks_for(const Call& call, std::string_view name, std::string_view value) {
  const auto wanted = call.query->find(name);
  return !wanted || *wanted == value;
}

bool asks_for(const Call& call, std::string_view name, const std::optional<Id>& value) {
  const auto wanted = call.query->find(name);
  return !wanted || (value && parse_id(*wanted) == *value);
}

// The part of an entry that needs no record.
std::optional<Entry> entry_of(const Call& call, const Filter& filter, const Event& event) {
  const auto names = audit_names(event);
  if (!names || event.at < filter.from || filter.to < event.at) return std::nullopt;
  Entry entry{event, *names, names->is_of_owner ? event.owner : event.subject, {}, {}, "API", Value::object()};
  if (auto detail = parse_stored(event.detail.empty() ? "{}" : event.detail)) entry.detail = std::move(*detail);
  if (const std::string_view origin = entry.detail.text_or("origin", ""); !origin.empty()) entry.origin = origin;
  const bool is_wanted = asks_for(call, "eventType", names->type) && asks_for(call, "targetType", names->target) &&
                         asks_for(call, "subTargetType", names->sub_target) && asks_for(call, "triggeredBy", event.author) &&
                         asks_for(call, "origin", entry.origin) && asks_for(call, "targetId", std::optional(entry.target));
  return is_wanted ? std::optional(std::move(entry)) : std::nullopt;
}

// Where the target lies. The project of a deleted environment is not known.
Result<void> place(Names& names, Entry& entry) {
  const Event& event = entry.event;
  const Family* family = find_family(event.family);
  if (entry.names.target == "PROJECT") {
    entry.project = entry.target;
  } else if (entry.names.target == "ENVIRONMENT") {
    entry.environment = entry.target;
    if (!entry.names.is_of_owner) entry.project = event.owner;
  } else if (family != nullptr && is_service(*family)) {
    entry.environment = event.owner;
  }
  if (!entry.environment || entry.project) return {};
  ORLOP_TRY(environment, names.find(*entry.environment));
  if (environment) entry.project = environment->parent;
  return {};
}

Result<bool> is_in_place(const Call& call, Names& names, Entry& entry) {
  ORLOP_CHECK(place(names, entry));
  return asks_for(call, "serviceProjectId", entry.project) && asks_for(call, "serviceEnvironmentId", entry.environment);
}

struct Page {
  std::vector<Entry> entries;  // the newest first
  std::uint64_t seen_to = 0;   // where the next look in the same direction begins
  bool has_more = false;       // beyond it
};

bool has_place_filter(const Call& call) { return call.query->find("serviceProjectId") || call.query->find("serviceEnvironmentId"); }

Result<Page> look(Unit& unit, const Call& call, const Filter& filter, Names& names) {
  EventRange range;
  range.organization = call.ids.front();
  range.limit = looked_at_max;
  const bool goes_back = !filter.after;
  range.order = goes_back ? EventRange::Order::newest_first : EventRange::Order::ascending;
  if (filter.before) range.before = *filter.before;
  if (filter.after) range.after = *filter.after;
  // Where a line lies is found out after the look, so that then all of them are needed.
  const std::size_t candidates_max = has_place_filter(call) ? looked_at_max : static_cast<std::size_t>(filter.page_size) + 1;
  std::vector<Entry> candidates;
  std::size_t looked_at = 0;
  std::uint64_t end = 0;
  ORLOP_CHECK(unit.stored().events(range, [&](const Event& event) {
    ++looked_at;
    end = event.sequence;
    if (goes_back && event.at < filter.from) return false;
    if (auto entry = entry_of(call, filter, event)) candidates.push_back(std::move(*entry));
    return candidates.size() < candidates_max;
  }));
  Page page{{}, end, looked_at == looked_at_max};
  for (Entry& entry : candidates) {
    ORLOP_TRY(is_wanted, is_in_place(call, names, entry));
    if (!is_wanted) continue;
    if (static_cast<std::int64_t>(page.entries.size()) == filter.page_size) {
      page.has_more = true;
      page.seen_to = page.entries.back().event.sequence;
      break;
    }
    if (const std::string_view name = entry.detail.text_or("name", ""); !name.empty()) names.remember(entry.event.subject, name);
    page.entries.push_back(std::move(entry));
  }
  if (!goes_back) std::ranges::reverse(page.entries);
  return page;
}

// A line's id: the time and the number of its event, in the form of an id.
Id id_of(const Event& event) {
  Id id;
  const auto at = static_cast<std::uint64_t>(event.at.milliseconds);
  for (std::size_t byte = 0; byte < 6; ++byte) id.bytes[byte] = static_cast<std::uint8_t>(at >> (40 - 8 * byte));
  id.bytes[6] = 0x70;
  id.bytes[8] = 0x80;
  for (std::size_t byte = 0; byte < 7; ++byte) id.bytes[9 + byte] = static_cast<std::uint8_t>(event.sequence >> (48 - 8 * byte));
  return id;
}

Result<std::string> name_of(Names& names, const Entry& entry, const Id& id) {
  const bool is_subject = id == entry.event.subject;
  if (const std::string_view noted = entry.detail.text_or("name", ""); is_subject && !noted.empty()) return std::string(noted);
  ORLOP_TRY(known, names.find(id));
  return known ? known->name : names.noted_name(id);
}

Result<void> write_place(Writer& out, Names& names, const Entry& entry, std::string_view kind, const std::optional<Id>& id) {
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

// Which fields have changed, or which state has: never what is in them.
std::string change_of(const Entry& entry) {
  Value change = entry.detail;
  change.erase("origin");
  change.erase("triggered_by");
  if (entry.names.is_of_owner) change.set("id", Value(to_text(entry.event.subject)));
  return to_json(change);
}

Result<void> write_entry(Writer& out, Names& names, const Entry& entry) {
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
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          std::string_view("-._~").find(letter) != std::string_view::npos;
    if (is_plain) {
      out += letter;
    } else {
      out.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
  }
}

std::string link_of(const Call& call, std::string_view token_name, std::uint64_t token) {
  std::string link = "/organization/" + to_text(call.ids.front()) + "/events?" + std::string(token_name) + "=" + std::to_string(token);
  for (const std::string_view name : kept_in_links) {
    const auto given = call.query->find(name);
    if (!given) continue;
    link.append("&").append(name).append("=");
    append_encoded(link, *given);
  }
  return link;
}

void write_links(Writer& out, const Call& call, const Filter& filter, const Page& page) {
  const bool is_empty = page.entries.empty();
  out.key("links").begin_object();
  if (filter.after) {
    if (page.has_more) out.field("previous", link_of(call, "stepBackToken", page.seen_to));
    out.field("next", link_of(call, "continueToken", is_empty ? *filter.after + 1 : page.entries.back().event.sequence));
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
  ORLOP_TRY(filter, filter_of(call));
  Names names(unit);
  ORLOP_TRY(page, look(unit, call, filter, names));
  Writer out;
  out.begin_object();
  write_links(out, call, filter, page);
  out.field("organization_max_limit_reached", false).key("events").begin_list();
  for (const Entry& entry : page.entries) ORLOP_CHECK(write_entry(out, names, entry));
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
    enumeration("sub_target_type", audit_sub_targets, "Part of the target that the event concerns. Absent: the target itself."),
    text("change",
        "Details as JSON text: the names of changed fields, or the reason of a failure. It never contains values of fields."),
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
    boolean("organization_max_limit_reached", "True if the plan of the organization hides further events. Always false."),
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
     .about = "Returns changes, deployment requests and their outcomes with the caller that triggered them, newest first.",
     .need = Level::administer},
};

}  // namespace

namespace operation_sets::history {
extern const OperationSet audit;
constexpr OperationSet audit = {
    .operations = operations,
};
}  // namespace operation_sets::history

}  // namespace orlop
