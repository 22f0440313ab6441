// Events as structs, and consumers of the feed.
#include "orlop/feed.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "guard.h"
#include "instance.h"
#include "ports/callbacks.h"
#include "rest/feed/event_json.h"
#include "rest/feed/event_query.h"
#include "tables.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace orlop::c {

// Object of a feed handle: the events, their kind names, and the structs that point into both.
struct HeldFeed {
  explicit HeldFeed(EventPage page);

  std::vector<Event> events;
  std::uint64_t next;
  std::vector<std::string> kinds;
  std::vector<orlop_feed_event> rows;
};

namespace {

orlop_feed_event row_of(const Event& event, const std::string& kind) {
  const EventNames names = names_of(event);
  orlop_feed_event row{};
  row.size = sizeof row;
  row.number = event.sequence;
  row.at_ms = event.at.milliseconds;
  row.kind = static_cast<orlop_event_kind>(event.kind);
  row.from = names.from.empty() ? 0 : event.from;
  row.to = names.to.empty() ? 0 : event.to;
  row.revision = event.revision;
  row.subject = id_of(event.subject);
  row.owner = id_of(event.owner);
  row.organization = id_of(event.organization);
  row.request = id_of(event.request);
  row.kind_name = text_of(kind);
  row.family = text_of(names.family);
  row.from_name = text_of(names.from);
  row.to_name = text_of(names.to);
  row.author = text_of(event.author);
  row.detail = text_of(event.detail.text());
  return row;
}

}  // namespace

HeldFeed::HeldFeed(EventPage page) : events(std::move(page.events)), next(page.next) {
  kinds.reserve(events.size());
  rows.reserve(events.size());
  for (const Event& event : events) {
    kinds.push_back(kind_of(event));
    rows.push_back(row_of(event, kinds.back()));
  }
}

}  // namespace orlop::c

namespace {

Result<EventQuery> query_of(const orlop_event_query& given) {
  ORLOP_CHECK(check_event_limit(given.limit));
  if (given.timeout_ms < -1)
    return misuse("query.timeout_ms must be 0 or more, or -1 for no limit; not " + std::to_string(given.timeout_ms));
  if (given.kinds == nullptr && given.kind_count != 0) return misuse("query.kinds is NULL but kind_count is not 0");
  if (given.kind_count > event_kinds_max)
    return misuse("query.kind_count must be at most " + std::to_string(event_kinds_max) + ", not " +
                  std::to_string(given.kind_count));
  EventQuery query = {given.since,          given.limit,          id_of(given.organization),
                      id_of(given.request), id_of(given.subject), {}};
  for (size_t at = 0; at < given.kind_count; ++at) {
    ORLOP_CHECK(check_text(given.kinds[at], "a kind"));
    query.kinds.emplace_back(view_of(given.kinds[at]));
  }
  return query;
}

// Returns the next page with a matching event; an empty page when the wait for one has ended.
Result<EventPage> select_events(orlop_engine* engine, const orlop_event_query* given) {
  ORLOP_TRY(host, host_of(engine));
  ORLOP_TRY(read,
            read_versioned(given, orlop_event_query ORLOP_EVENT_QUERY_INIT, sizeof(orlop_event_query), "the query"));
  ORLOP_TRY(query, query_of(read));
  const std::int64_t begin = steady_time().milliseconds;
  while (true) {
    ORLOP_TRY(page, host->engine().read_events(query));
    query.since = page.next;
    const std::int64_t spent = steady_time().milliseconds - begin;
    const bool is_over = read.timeout_ms >= 0 && spent >= read.timeout_ms;
    if (!page.events.empty() || is_over) return std::move(page);
    if (page.has_more) continue;
    const std::optional<Duration> left =
        read.timeout_ms < 0 ? std::nullopt : std::optional(Duration{read.timeout_ms - spent});
    const Wakeup::Found found = host->wakeup().wait(host->engine(), {false, query.since}, left);
    // The wait was interrupted, or the handle was closed.
    if (!found.events && (read.timeout_ms < 0 || steady_time().milliseconds - begin < read.timeout_ms))
      return std::move(page);
  }
}

std::string consumer_list(const std::vector<EventConsumer>& consumers) {
  Writer out;
  out.begin_list();
  for (const EventConsumer& consumer : consumers) {
    out.begin_object()
        .field("name", consumer.name)
        .field("acknowledged", consumer.acknowledged)
        .field("acknowledged_at", consumer.acknowledged_at)
        .end_object();
  }
  out.end_list();
  return std::move(out).take();
}

}  // namespace

extern "C" {

orlop_error* orlop_feed_read(orlop_feed** feed, orlop_engine* engine, uint64_t since, uint32_t limit) {
  return guard([&]() -> Result<void> {
    if (feed == nullptr) return misuse("the out parameter for the feed must not be NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_event_limit(limit));
    ORLOP_TRY(page, host->engine().read_events({.since = since, .limit = limit}));
    *feed = feeds().add(std::make_shared<HeldFeed>(std::move(page)));
    return {};
  });
}

orlop_error* orlop_feed_select(orlop_feed** feed, orlop_engine* engine, const orlop_event_query* query) {
  return guard([&]() -> Result<void> {
    if (feed == nullptr) return misuse("the out parameter for the feed must not be NULL");
    ORLOP_TRY(page, select_events(engine, query));
    *feed = feeds().add(std::make_shared<HeldFeed>(std::move(page)));
    return {};
  });
}

uint64_t orlop_feed_next(const orlop_feed* feed) {
  return guard_or<uint64_t>(0, [&]() -> uint64_t {
    const auto found = feeds().find(feed);
    return found ? found.value()->next : 0;
  });
}

orlop_error* orlop_events_select(orlop_buffer** list, uint64_t* next, orlop_engine* engine,
                                 const orlop_event_query* query) {
  return guard([&]() -> Result<void> {
    if (list == nullptr) return misuse("the out parameter for the events must not be NULL");
    ORLOP_TRY(page, select_events(engine, query));
    *list = buffers().add(std::make_shared<std::string>(event_list(page.events)));
    if (next != nullptr) *next = page.next;
    return {};
  });
}

orlop_error* orlop_consumer_register(orlop_engine* engine, orlop_text name, uint64_t* acknowledged) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_text(name, "name"));
    ORLOP_TRY(consumer, host->engine().register_consumer(view_of(name)));
    if (acknowledged != nullptr) *acknowledged = consumer.acknowledged;
    return {};
  });
}

orlop_error* orlop_consumer_acknowledge(orlop_engine* engine, orlop_text name, uint64_t number) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_text(name, "name"));
    const auto acknowledged = host->engine().acknowledge_events(view_of(name), number);
    return acknowledged ? Result<void>() : Result<void>(acknowledged.error());
  });
}

orlop_error* orlop_consumer_unregister(orlop_engine* engine, orlop_text name) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_text(name, "name"));
    return host->engine().unregister_consumer(view_of(name));
  });
}

orlop_error* orlop_consumers(orlop_buffer** list, orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    if (list == nullptr) return misuse("the out parameter for the consumers must not be NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(consumers, host->engine().consumers());
    *list = buffers().add(std::make_shared<std::string>(consumer_list(consumers)));
    return {};
  });
}

orlop_error* orlop_events_forget(orlop_engine* engine, uint64_t through, uint64_t* first) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(left, host->engine().forget_events(through));
    if (first != nullptr) *first = left;
    return {};
  });
}

size_t orlop_feed_size(const orlop_feed* feed) {
  return guard_or<size_t>(0, [&]() -> size_t {
    const auto found = feeds().find(feed);
    return found ? found.value()->rows.size() : 0;
  });
}

const orlop_feed_event* orlop_feed_at(const orlop_feed* feed, size_t index) {
  return guard_or<const orlop_feed_event*>(nullptr, [&]() -> const orlop_feed_event* {
    const auto found = feeds().find(feed);
    return found && index < found.value()->rows.size() ? &found.value()->rows[index] : nullptr;
  });
}

void orlop_feed_free(orlop_feed* feed) {
  if (feed == nullptr) return;
  guard_or(0, [&] { return feeds().take(feed).ok() ? 1 : 0; });
}

}  // extern "C"
