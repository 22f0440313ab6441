#include "records/record_pattern.h"

#include <algorithm>
#include <utility>

#include "wire/object_member.h"

namespace orlop {
namespace {

// Returns the position, at or after `from`, of the next id in quotes among the `id_count` ids after `ids_before`, and
// sets `number` to its index; npos if none.
std::size_t find_id(std::string_view text, std::size_t from, std::uint32_t ids_before, std::size_t id_count,
                    std::size_t& number) {
  constexpr std::size_t before_hyphen = 8;  // digits of an id before its first hyphen; a text has fewer hyphens than
                                            // quotes
  for (std::size_t hyphen = text.find('-', from); hyphen != std::string_view::npos;
       hyphen = text.find('-', hyphen + 1)) {
    if (hyphen <= from + before_hyphen || text[hyphen - before_hyphen - 1] != '"') continue;
    const auto id = parse_id(text.substr(hyphen - before_hyphen, id_text_size));
    if (!id) continue;
    number = std::size_t{id_count_of(*id)} - ids_before - 1;
    if (number < id_count) return hyphen - before_hyphen;  // else an older id, or one not made by the engine
  }
  return std::string_view::npos;
}

}  // namespace

TextPattern::TextPattern(std::string_view text, std::uint32_t ids_before, std::size_t id_count) {
  const std::string_view name = raw_member(text, "name");
  std::size_t name_at = name.empty() ? std::string_view::npos : static_cast<std::size_t>(name.data() - text.data()) + 1;
  for (std::size_t taken = 0;;) {
    std::size_t number = 0;
    const std::size_t id_at = find_id(text, taken, ids_before, id_count, number);
    const std::size_t begin = std::min(id_at, name_at);
    fixed_.append(text.substr(taken, begin - taken));
    if (begin == std::string_view::npos) return;
    const bool is_name = begin == name_at;
    places_.push_back({fixed_.size(), is_name ? name_place : number});
    taken = begin + (is_name ? name.size() - 2 : id_text_size);
    if (is_name) name_at = std::string_view::npos;
  }
}

std::string TextPattern::with(std::span<const Id> ids, std::string_view name) const {
  std::string text;
  text.reserve(fixed_.size() + places_.size() * id_text_size + name.size());
  const char* taken = fixed_.data();
  for (const Place& place : places_) {
    text.append(taken, fixed_.data() + place.at);
    taken = fixed_.data() + place.at;
    if (place.id != name_place) {
      append_text(text, ids[place.id]);
      continue;
    }
    text.append(name);
  }
  text.append(taken, fixed_.data() + fixed_.size());
  return text;
}

std::optional<RecordPattern> RecordPattern::of(const Unit& unit, const Unit::Extent& before) {
  Unit::Extent expected = before;
  const Unit::Extent after = unit.extent();
  ++expected.records;
  ++expected.machines;
  ++expected.events;
  expected.ids = after.ids;
  if (after != expected || after.ids == before.ids || after.ids == id_count_max) return std::nullopt;
  const Changes& changes = unit.changes();
  const Id& id = changes.records.back().record.id;
  const bool is_one =
      changes.machines.back().id == id && changes.events.back().subject == id && id_count_of(id) == before.ids + 1;
  return is_one ? std::optional(RecordPattern(unit, before)) : std::nullopt;
}

RecordPattern::RecordPattern(const Unit& unit, const Unit::Extent& before)
    : ids_(unit.extent().ids - before.ids),
      record_(unit.changes().records.back().record),
      body_(record_.body, before.ids, ids_.size()),
      references_(unit.changes().records.back().references),
      machine_(unit.changes().machines.back()),
      event_(unit.changes().events.back()),
      detail_(event_.detail.text(), before.ids, ids_.size()) {
  record_.id = machine_.id = event_.subject = {};
  record_.body.clear();
  event_.detail = {};
  // The revisions before put(), which counts them up.
  record_.revision = machine_.revision = 0;
}

Id RecordPattern::put(Unit& unit, std::string_view name, std::string key) {
  for (Id& id : ids_) id = unit.make_id();
  const Id id = ids_.front();
  Event event = event_;
  event.subject = id;
  event.detail = detail_.with(ids_, name);
  unit.emit(std::move(event));
  Record record = record_;
  record.id = id;
  record.body = body_.with(ids_, name);
  unit.put(std::move(record), std::move(key), references_);
  Machine machine = machine_;
  machine.id = id;
  unit.put(std::move(machine));
  return id;
}

}  // namespace orlop
