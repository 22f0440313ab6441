#include "feed/consumers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/family_number.h"
#include "model/form.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t name_size_max = 64;
constexpr std::size_t name_shown_max = 64;

const Family& family() {
  static const Family& found = *find_family(event_consumer_number);
  return found;
}

bool is_of_name(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '.' || letter == '_' || letter == '-';
}

Result<void> check_name(std::string_view name) {
  const bool is_fitting = !name.empty() && name.size() <= name_size_max && std::ranges::all_of(name, is_of_name);
  if (is_fitting) return {};
  std::string shown(name.substr(0, name_shown_max));
  std::ranges::replace_if(
      shown, [](char letter) { return letter < 0x20 || letter > 0x7E; }, '?');
  return make_error(
      ErrorCode::invalid,
      "the name of a consumer must be 1 to 64 of the characters a to z, A to Z, 0 to 9, '.', '_' and '-', not \"" +
          shown + "\"" + (name.size() > name_shown_max ? " and more, " + std::to_string(name.size()) + " bytes" : ""));
}

std::string key_of(std::string_view name) {
  std::string key(1, static_cast<char>(event_consumer_number >> 8));
  key.push_back(static_cast<char>(event_consumer_number & 0xFF));
  return key.append(name);
}

Result<EventConsumer> consumer_of(const Record& record) {
  ORLOP_TRY(body, parse_stored(record.body));
  EventConsumer consumer;
  consumer.name = body.text_or("consumer", "");
  consumer.acknowledged = static_cast<std::uint64_t>(body.integer_or("acknowledged", 0));
  consumer.acknowledged_at = parse_instant(body.text_or("acknowledged_at", "")).value_or(Instant{});
  return consumer;
}

Value body_of(const EventConsumer& consumer) {
  Value body = Value::object();
  body.set("consumer", Value(consumer.name));
  body.set("acknowledged", Value(static_cast<std::int64_t>(consumer.acknowledged)));
  body.set("acknowledged_at", Value(to_text(consumer.acknowledged_at)));
  return body;
}

Result<Shared<Record>> find_record(Unit& unit, std::string_view name) {
  ORLOP_TRY(id, unit.find(key_of(name)));
  return id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>());
}

Result<Record> require_consumer(Unit& unit, std::string_view name) {
  ORLOP_CHECK(check_name(name));
  ORLOP_TRY(record, find_record(unit, name));
  if (record) return std::move(*record);
  return make_error(ErrorCode::not_found, "no consumer of events is registered as \"" + std::string(name) + "\"");
}

RecordRange all_records() {
  RecordRange range;
  range.family = event_consumer_number;
  return range;
}

}  // namespace

Result<EventConsumer> register_consumer(Unit& unit, std::string_view name) {
  ORLOP_CHECK(check_name(name));
  ORLOP_TRY(known, find_record(unit, name));
  if (known) return consumer_of(*known);
  ORLOP_TRY(others, unit.records(all_records()));
  if (others.size() >= consumers_max) {
    return make_error(ErrorCode::conflict,
                      std::to_string(consumers_max) + " consumers of events are registered, and there can be no more");
  }
  ORLOP_TRY(first, first_event(unit.stored()));
  const EventConsumer consumer = {std::string(name), first - 1, unit.now()};
  ORLOP_TRY(record, create_record(unit, family(), {}, body_of(consumer)));
  unit.put(std::move(record), key_of(name));
  return consumer;
}

Result<EventConsumer> acknowledge_events(Unit& unit, std::string_view name, std::uint64_t number) {
  ORLOP_TRY(record, require_consumer(unit, name));
  ORLOP_TRY(consumer, consumer_of(record));
  ORLOP_TRY(end, unit.stored().feed_end());
  if (number > end.sequence) {
    return make_error(
        ErrorCode::invalid,
        "event " + std::to_string(number) + " cannot be acknowledged: the last one is " + std::to_string(end.sequence));
  }
  if (number <= consumer.acknowledged) return consumer;
  consumer.acknowledged = number;
  consumer.acknowledged_at = unit.now();
  ORLOP_TRY(edited, edit_record(unit, family(), std::move(record), body_of(consumer)));
  (void)edited;
  return consumer;
}

Result<void> unregister_consumer(Unit& unit, std::string_view name) {
  ORLOP_TRY(record, require_consumer(unit, name));
  unit.erase(record.id);
  return {};
}

Result<EventConsumer> find_consumer(Unit& unit, std::string_view name) {
  ORLOP_TRY(record, require_consumer(unit, name));
  return consumer_of(record);
}

Result<std::vector<EventConsumer>> all_consumers(Unit& unit) {
  ORLOP_TRY(records, unit.records(all_records()));
  std::vector<EventConsumer> consumers;
  for (const Record& record : records) {
    ORLOP_TRY(consumer, consumer_of(record));
    consumers.push_back(std::move(consumer));
  }
  return consumers;
}

Result<std::uint64_t> first_event(Transaction& store) {
  std::optional<std::uint64_t> first;
  ORLOP_CHECK(store.events({.limit = 1}, [&](const Event& event) {
    first = event.sequence;
    return false;
  }));
  if (first) return *first;
  ORLOP_TRY(end, store.feed_end());
  return end.sequence + 1;
}

}  // namespace orlop
