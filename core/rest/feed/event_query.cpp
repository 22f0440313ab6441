#include "rest/feed/event_query.h"

#include <algorithm>
#include <utility>

#include "feed/consumers.h"
#include "rest/feed/event_json.h"

namespace orlop {
namespace {

constexpr std::size_t looked_at_max = 10'000;
constexpr std::size_t kind_size_max = 64;
constexpr std::string_view any_end = ".*";

bool is_of_kind(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' ||
         letter == '-';
}

bool fits(const std::string& kind, const std::string& wanted) {
  if (!std::string_view(wanted).ends_with(any_end)) return kind == wanted;
  return kind.compare(0, wanted.size() - 1, wanted, 0, wanted.size() - 1) == 0;
}

bool fits(const EventQuery& query, const Event& event) {
  if (!query.organization.is_nil() && event.organization != query.organization) return false;
  if (!query.request.is_nil() && event.request != query.request) return false;
  if (!query.subject.is_nil() && event.subject != query.subject) return false;
  if (query.kinds.empty()) return true;
  const std::string kind = kind_of(event);
  return std::ranges::any_of(query.kinds, [&](const std::string& wanted) { return fits(kind, wanted); });
}

Result<void> require_kept(Transaction& store, std::uint64_t since) {
  if (since == 0) return {};
  ORLOP_TRY(first, first_event(store));
  if (first <= since + 1) return {};
  return make_error(ErrorCode::events_forgotten,
                    "events " + std::to_string(since + 1) + " to " + std::to_string(first - 1) +
                        " were removed from the feed; the first that is kept is event " + std::to_string(first));
}

}  // namespace

Result<void> check_kinds(const std::vector<std::string>& kinds) {
  if (kinds.size() > event_kinds_max) {
    return make_error(ErrorCode::invalid, "at most " + std::to_string(event_kinds_max) +
                                              " kinds of events can be asked for, not " + std::to_string(kinds.size()));
  }
  for (const std::string& kind : kinds) {
    std::string_view name = kind;
    if (name.ends_with(any_end)) name.remove_suffix(any_end.size());
    if (!name.empty() && kind.size() <= kind_size_max && std::ranges::all_of(name, is_of_kind)) continue;
    std::string shown = kind.substr(0, kind_size_max);
    std::ranges::replace_if(
        shown, [](char letter) { return letter < 0x20 || letter > 0x7E; }, '?');
    return make_error(
        ErrorCode::invalid,
        "a kind of events must be a name such as step.started, or step.* for all of them, not \"" + shown + "\"");
  }
  return {};
}

Result<EventPage> read_page(Transaction& store, const EventQuery& query, const EventFilter& filter) {
  EventPage page;
  page.next = query.since;
  if (query.limit == 0) return page;
  EventRange range = {.after = query.since, .limit = looked_at_max};
  if (!query.request.is_nil()) range.request = query.request;
  else range.subject = query.subject;
  std::size_t looked_at = 0;
  std::uint64_t first_seen = 0;
  std::vector<Event> candidates;
  ORLOP_CHECK(store.events(range, [&](const Event& event) {
    if (looked_at++ == 0) first_seen = event.sequence;
    page.next = event.sequence;
    if (fits(query, event)) candidates.push_back(event);
    return candidates.size() < query.limit;
  }));
  // Checks for removed events only after a gap. The end of the feed needs no check, because the last event is never
  // removed.
  const bool is_whole = range.request.is_nil() && range.subject.is_nil();
  if (first_seen != query.since + 1 && !(is_whole && looked_at == 0)) ORLOP_CHECK(require_kept(store, query.since));
  page.has_more = looked_at == looked_at_max || candidates.size() == query.limit;
  // An index shows only some events: the end of the feed must be read.
  if (!page.has_more && !is_whole) {
    ORLOP_TRY(end, store.feed_end());
    page.next = std::max(query.since, end.sequence);
  }
  if (filter == nullptr) {
    page.events = std::move(candidates);
    return page;
  }
  for (Event& event : candidates) {
    ORLOP_TRY(is_visible, filter(event));
    if (is_visible) page.events.push_back(std::move(event));
  }
  return page;
}

}  // namespace orlop
