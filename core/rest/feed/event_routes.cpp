#include "rest/feed/event_routes.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "access/tenant_filter.h"
#include "base/text/utf8.h"
#include "feed/consumers.h"
#include "feed/retention.h"
#include "model/form.h"
#include "model/validate.h"
#include "rest/feed/event_json.h"
#include "rest/feed/event_query.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view events_path = "/-/events";
constexpr std::string_view consumers_path = "/-/events/consumers";
constexpr std::size_t page_size_max = 10'000;
constexpr std::size_t page_size_usual = 1000;

Error bad_parameter(std::string_view name, const std::string& reason) { return refusal({{std::string(name), reason}}); }

Result<std::uint64_t> number_in(const Query& query, std::string_view name, std::uint64_t otherwise, std::uint64_t least,
                                std::uint64_t most) {
  const auto given = query.find(name);
  if (!given) return otherwise;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), number);
  if (error == std::errc() && end == given->data() + given->size() && !given->empty() && number >= least &&
      number <= most)
    return number;
  return bad_parameter(name, "must be a number from " + std::to_string(least) + " to " + std::to_string(most) +
                                 ", not \"" + std::string(beginning(*given, 64)) + "\"");
}

Result<Id> id_in(const Query& query, std::string_view name) {
  const auto given = query.find(name);
  if (!given) return Id{};
  const auto id = parse_id(*given);
  if (id && !id->is_nil()) return *id;
  return bad_parameter(name, "must be a uuid, not \"" + std::string(beginning(*given, 64)) + "\"");
}

// Splits a list at its commas.
std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty() && items.size() <= event_kinds_max) {
    const std::size_t end = std::min(text.find(','), text.size());
    items.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return items;
}

Result<void> check_names(const Query& query, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : query.entries()) {
    if (std::ranges::find(known, name) == known.end())
      return bad_parameter(beginning(name, 64), "is not a parameter of this path");
  }
  return {};
}

Result<EventQuery> query_of(const Query& query) {
  ORLOP_CHECK(check_names(query, {"since", "limit", "organization", "request", "subject", "kind"}));
  EventQuery wanted;
  ORLOP_TRY(since, number_in(query, "since", 0, 0, INT64_MAX));
  ORLOP_TRY(limit, number_in(query, "limit", page_size_usual, 1, page_size_max));
  ORLOP_TRY(organization, id_in(query, "organization"));
  ORLOP_TRY(request, id_in(query, "request"));
  ORLOP_TRY(subject, id_in(query, "subject"));
  wanted.since = since;
  wanted.limit = static_cast<std::size_t>(limit);
  wanted.organization = organization;
  wanted.request = request;
  wanted.subject = subject;
  wanted.kinds = list_of(query.find("kind").value_or(""));
  if (const auto checked = check_kinds(wanted.kinds); !checked) return bad_parameter("kind", checked.error().message);
  return wanted;
}

// Events that a caller may see. Events about deleted resources are shown only to callers that see all of the
// organization.
class Visibility {
 public:
  Visibility(Unit& unit, const Caller& caller) : unit_(unit), permissions_(unit, caller) {}

  Result<bool> sees(const Event& event) {
    if (event.organization.is_nil()) return false;
    ORLOP_TRY(sight, sight_of(event.organization));
    if (sight != Sight::part) return sight == Sight::all;
    const auto known = by_subject_.find(event.subject);
    if (known != by_subject_.end()) return known->second;
    ORLOP_TRY(sees, sees_subject(event));
    return by_subject_[event.subject] = sees;
  }

 private:
  enum class Sight : std::uint8_t { none, part, all };

  Result<Sight> sight_of(const Id& organization) {
    const auto known = by_organization_.find(organization);
    if (known != by_organization_.end()) return known->second;
    Sight sight = Sight::none;
    ORLOP_TRY(record, unit_.record(organization));  // null if the caller does not see the organization
    if (record) {
      ORLOP_TRY(level, permissions_.level_at(*record));
      ORLOP_TRY(sees_everything, permissions_.sees_all_of(organization));
      if (level != Level::none) sight = sees_everything ? Sight::all : Sight::part;
    }
    return by_organization_[organization] = sight;
  }

  Result<bool> sees_subject(const Event& event) {
    for (const Id& id : {event.subject, event.owner}) {
      ORLOP_TRY(record, unit_.record(id));
      if (!record) continue;
      // the scope of a deleted resource is not known
      if (id == event.organization && id != event.subject) return false;
      ORLOP_TRY(level, permissions_.level_at(*record));
      return level != Level::none;
    }
    return false;
  }

  Unit& unit_;
  Permissions permissions_;
  std::unordered_map<Id, Sight> by_organization_;
  std::unordered_map<Id, bool> by_subject_;
};

std::string list_text(const EventPage& page) {
  Writer out;
  out.begin_object().key("events").begin_list();
  for (const Event& event : page.events) write_event(out, event);
  out.end_list().field("next", page.next).field("has_more", page.has_more).end_object();
  return std::move(out).take();
}

// Formats an event stream. The JSON has no line breaks: in texts they are escaped.
std::string stream_text(const EventPage& page) {
  std::string text;
  for (const Event& event : page.events) {
    Writer data;
    write_event(data, event);
    text.append("id: ")
        .append(std::to_string(event.sequence))
        .append("\nevent: ")
        .append(kind_of(event))
        .append("\ndata: ")
        .append(data.text())
        .append("\n\n");
  }
  return text.append("id: ").append(std::to_string(page.next)).append("\n:\n\n");
}

Result<Answer> read_feed(const FeedContext& context, const Request& request, const Query& query, const Caller& caller) {
  ORLOP_TRY(wanted, query_of(query));
  ORLOP_TRY(opened, context.store.begin(Access::read));
  ORLOP_TRY(transaction, for_caller(caller, std::move(opened)));
  Unit unit(*transaction, context.random_source, {}, context.now, context.settings);
  Visibility visibility(unit, caller);
  const bool sees_all = caller.kind == Caller::Kind::host;
  ORLOP_TRY(page, read_page(
                      *transaction, wanted,
                      sees_all ? EventFilter() : [&](const Event& event) { return visibility.sees(event); }));
  const bool is_stream = header_of(request, "accept").find("text/event-stream") != std::string_view::npos;
  if (!is_stream) return Answer{.body = list_text(page)};
  Answer answer{.body = stream_text(page)};
  answer.type = ContentType::events;
  return answer;
}

void write_consumer(Writer& out, const EventConsumer& consumer) {
  out.begin_object()
      .field("name", consumer.name)
      .field("acknowledged", consumer.acknowledged)
      .field("acknowledged_at", consumer.acknowledged_at)
      .end_object();
}

Answer answer_of(const EventConsumer& consumer) {
  Writer out;
  write_consumer(out, consumer);
  return Answer{.body = std::move(out).take()};
}

// Returns the number that PUT acknowledges, or nullopt if it only registers.
Result<std::optional<std::uint64_t>> acknowledged_in(std::string_view body) {
  if (body.empty()) return std::optional<std::uint64_t>();
  ORLOP_TRY(value, parse_json(body));
  if (!value.is_object()) return bad_parameter("", "must be a JSON object");
  for (const Member& member : value.members()) {
    if (member.name != "acknowledged")
      return bad_parameter(std::string(beginning(member.name.view(), 64)), "is unknown");
  }
  const Value* const given = value.find("acknowledged");
  if (given == nullptr) return std::optional<std::uint64_t>();
  if (given->type() != Value::Type::integer || given->as_integer() < 0)
    return bad_parameter("acknowledged", "must be the number of an event, from 0");
  return std::optional(static_cast<std::uint64_t>(given->as_integer()));
}

template <typename Act>
Result<Answer> in_commit(Committer& committer, const Act& act) {
  Answer answer;
  const auto done = committer.run([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(made, act(unit));
    answer = std::move(made);
    return {};
  });
  if (!done) return done.error();
  return answer;
}

Result<Answer> put_consumer(const FeedContext& context, std::string_view name, std::string_view body) {
  ORLOP_TRY(number, acknowledged_in(body));
  return in_commit(context.committer, [&](Unit& unit) -> Result<Answer> {
    ORLOP_TRY(consumer, register_consumer(unit, name));
    if (!number) return answer_of(consumer);
    ORLOP_TRY(acknowledged, acknowledge_events(unit, name, *number));
    return answer_of(acknowledged);
  });
}

Result<Answer> read_consumers(const FeedContext& context, std::optional<std::string_view> name) {
  ORLOP_TRY(transaction, context.store.begin(Access::read));
  Unit unit(*transaction, context.random_source, {}, context.now, context.settings);
  if (name) {
    ORLOP_TRY(consumer, find_consumer(unit, *name));
    return answer_of(consumer);
  }
  ORLOP_TRY(consumers, all_consumers(unit));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const EventConsumer& consumer : consumers) write_consumer(out, consumer);
  out.end_list().end_object();
  return Answer{.body = std::move(out).take()};
}

Result<Answer> answer_consumers(const FeedContext& context, const Request& request, const RequestTarget& target) {
  ORLOP_CHECK(check_names(target.query, {}));
  std::string_view name = std::string_view(target.path).substr(consumers_path.size());
  if (name.empty()) {
    if (request.method == "GET") return read_consumers(context, std::nullopt);
    return make_error(ErrorCode::method_not_allowed,
                      std::string(beginning(request.method, 64)) + " is not allowed at " + target.path);
  }
  name.remove_prefix(1);
  if (request.method == "GET") return read_consumers(context, name);
  if (request.method == "PUT") return put_consumer(context, name, request.body);
  if (request.method != "DELETE")
    return make_error(ErrorCode::method_not_allowed,
                      std::string(beginning(request.method, 64)) + " is not allowed at " + target.path);
  return in_commit(context.committer, [&](Unit& unit) -> Result<Answer> {
    ORLOP_CHECK(unregister_consumer(unit, name));
    return Answer{204, ""};
  });
}

Result<Answer> forget_feed(const FeedContext& context, const Query& query) {
  ORLOP_CHECK(check_names(query, {"through"}));
  if (!query.find("through")) return bad_parameter("through", "is a required query parameter");
  ORLOP_TRY(through, number_in(query, "through", 0, 1, INT64_MAX));
  ORLOP_TRY(first, forget_events(context.committer, through));
  Writer out;
  out.begin_object().field("first", first).end_object();
  return Answer{.body = std::move(out).take()};
}

}  // namespace

bool is_feed_path(std::string_view path) {
  return path == events_path || path == consumers_path ||
         (path.starts_with(consumers_path) && path[consumers_path.size()] == '/');
}

Result<Answer> answer_feed(const FeedContext& context, const Request& request, const RequestTarget& target,
                           const Caller& caller) {
  const bool is_reading = target.path == events_path && request.method == "GET";
  if (is_reading) return read_feed(context, request, target.query, caller);
  if (caller.kind != Caller::Kind::host) {
    return make_error(ErrorCode::forbidden,
                      "the consumers of the feed and what it keeps belong to the host of the platform; a caller may "
                      "only read the feed");
  }
  if (target.path != events_path) return answer_consumers(context, request, target);
  if (request.method == "DELETE") return forget_feed(context, target.query);
  return make_error(ErrorCode::method_not_allowed,
                    std::string(beginning(request.method, 64)) + " is not allowed at " + target.path);
}

Result<std::uint64_t> forget_events(Committer& committer, std::uint64_t through) {
  Forgotten forgotten;
  do {
    const auto done = committer.run([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(part, forget_events(unit, through));
      forgotten = part;
      return {};
    });
    if (!done) return done.error();
  } while (forgotten.has_more);
  return forgotten.first;
}

}  // namespace orlop
