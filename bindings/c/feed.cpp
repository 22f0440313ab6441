// Events as structs.
#include "orlop/feed.h"

#include <memory>
#include <string>
#include <vector>

#include "guard.h"
#include "instance.h"
#include "ports/callbacks.h"
#include "rest/event.h"
#include "tables.h"

using namespace orlop;
using namespace orlop::c;

namespace orlop::c {

// What a feed handle stands for: the events, what was made of them, and the structs that point into both.
struct HeldFeed {
  explicit HeldFeed(std::vector<Event> read);

  std::vector<Event> events;
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
  row.detail = text_of(event.detail);
  return row;
}

}  // namespace

HeldFeed::HeldFeed(std::vector<Event> read) : events(std::move(read)) {
  kinds.reserve(events.size());
  rows.reserve(events.size());
  for (const Event& event : events) {
    kinds.push_back(kind_of(event));
    rows.push_back(row_of(event, kinds.back()));
  }
}

}  // namespace orlop::c

extern "C" {

orlop_error* orlop_feed_read(orlop_feed** feed, orlop_engine* engine, uint64_t since, uint32_t limit) {
  return guard([&]() -> Result<void> {
    if (feed == nullptr) return misuse("there is no place for the feed: the out parameter is NULL");
    ORLOP_TRY(host, host_of(engine));
    ORLOP_CHECK(check_event_limit(limit));
    ORLOP_TRY(read, host->engine().read_events(since, limit));
    *feed = feeds().add(std::make_shared<HeldFeed>(std::move(read)));
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
