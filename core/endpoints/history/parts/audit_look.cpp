#include "endpoints/history/parts/audit_look.h"

#include <algorithm>
#include <charconv>

#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Maximum number of events that a request reads: a filter without matches ends there, and the next page continues.
constexpr std::size_t looked_at_max = 10'000;

std::optional<Instant> instant_of(std::string_view text) {
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  constexpr std::int64_t seconds_max = 1'000'000'000'000;
  if (error == std::errc() && end == text.data() + text.size() && whole >= 0 && whole < seconds_max)
    return Instant{whole * 1000};
  return parse_instant(text);
}

Result<void> take_time(const Call& call, std::string_view name, Instant& into) {
  const auto text = call.query->find(name);
  if (!text) return {};
  const auto instant = instant_of(*text);
  if (!instant)
    return invalid_field(name, "must be a time such as 2026-01-01T00:00:00Z, or Unix seconds, not \"" +
                                   std::string(text->substr(0, 60)) + "\"");
  into = *instant;
  return {};
}

Result<void> take_token(const Call& call, std::string_view name, std::optional<std::uint64_t>& into) {
  const auto text = call.query->find(name);
  if (!text) return {};
  std::uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), sequence);
  if (error != std::errc() || end != text->data() + text->size())
    return invalid_field(
        name, "must be the token in a link of an earlier page, not \"" + std::string(text->substr(0, 60)) + "\"");
  into = sequence;
  return {};
}

bool asks_for(const Call& call, std::string_view name, std::string_view value) {
  const auto wanted = call.query->find(name);
  return !wanted || *wanted == value;
}

bool asks_for(const Call& call, std::string_view name, const std::optional<Id>& value) {
  const auto wanted = call.query->find(name);
  return !wanted || (value && parse_id(*wanted) == *value);
}

// Makes the part of an entry that needs no record; nullopt if filtered out.
std::optional<AuditEntry> entry_of(const Call& call, const AuditFilter& filter, const Event& event) {
  const auto names = audit_names(event);
  if (!names || event.at < filter.from || filter.to < event.at) return std::nullopt;
  AuditEntry entry{event, *names, names->is_of_owner ? event.owner : event.subject, {}, {}, "API", Value::object()};
  if (auto detail = parse_stored(event.detail.empty() ? "{}" : event.detail.text())) entry.detail = std::move(*detail);
  if (const std::string_view origin = entry.detail.text_or("origin", ""); !origin.empty()) entry.origin = origin;
  const bool is_wanted = asks_for(call, "eventType", names->type) && asks_for(call, "targetType", names->target) &&
                         asks_for(call, "subTargetType", names->sub_target) &&
                         asks_for(call, "triggeredBy", event.author) && asks_for(call, "origin", entry.origin) &&
                         asks_for(call, "targetId", std::optional(entry.target));
  return is_wanted ? std::optional(std::move(entry)) : std::nullopt;
}

// Sets project and environment of the entry. The project of a deleted environment is unknown.
Result<void> place(AuditedRecords& names, AuditEntry& entry) {
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

Result<bool> is_in_place(const Call& call, AuditedRecords& names, AuditEntry& entry) {
  ORLOP_CHECK(place(names, entry));
  return asks_for(call, "serviceProjectId", entry.project) && asks_for(call, "serviceEnvironmentId", entry.environment);
}

bool has_place_filter(const Call& call) {
  return call.query->find("serviceProjectId") || call.query->find("serviceEnvironmentId");
}

}  // namespace

Result<AuditFilter> audit_filter(const Call& call) {
  AuditFilter filter;
  filter.page_size = query_integer(call, "pageSize", audit_page_size_default);
  ORLOP_CHECK(take_time(call, "fromTimestamp", filter.from));
  ORLOP_CHECK(take_time(call, "toTimestamp", filter.to));
  ORLOP_CHECK(take_token(call, "continueToken", filter.before));
  ORLOP_CHECK(take_token(call, "stepBackToken", filter.after));
  return filter;
}

Result<AuditPage> look_at_audit(Unit& unit, const Call& call, const AuditFilter& filter, AuditedRecords& names) {
  EventRange range;
  range.organization = call.ids.front();
  range.limit = looked_at_max;
  const bool goes_back = !filter.after;
  range.order = goes_back ? EventRange::Order::newest_first : EventRange::Order::ascending;
  if (filter.before) range.before = *filter.before;
  if (filter.after) range.after = *filter.after;
  // A filter by project or environment is applied after this loop and needs all candidates.
  const std::size_t candidates_max =
      has_place_filter(call) ? looked_at_max : static_cast<std::size_t>(filter.page_size) + 1;
  std::vector<AuditEntry> candidates;
  std::size_t looked_at = 0;
  std::uint64_t end = 0;
  ORLOP_CHECK(unit.stored().events(range, [&](const Event& event) {
    ++looked_at;
    end = event.sequence;
    if (goes_back && event.at < filter.from) return false;
    if (auto entry = entry_of(call, filter, event)) candidates.push_back(std::move(*entry));
    return candidates.size() < candidates_max;
  }));
  AuditPage page{{}, end, looked_at == looked_at_max};
  for (AuditEntry& entry : candidates) {
    ORLOP_TRY(is_wanted, is_in_place(call, names, entry));
    if (!is_wanted) continue;
    if (static_cast<std::int64_t>(page.entries.size()) == filter.page_size) {
      page.has_more = true;
      page.seen_to = page.entries.back().event.sequence;
      break;
    }
    if (const std::string_view name = entry.detail.text_or("name", ""); !name.empty())
      names.remember(entry.event.subject, name);
    page.entries.push_back(std::move(entry));
  }
  if (!goes_back) std::ranges::reverse(page.entries);
  return page;
}

}  // namespace orlop
