#include "ops/record_pattern.h"

#include <algorithm>
#include <utility>

#include "wire/member.h"

namespace orlop {

TextPattern::TextPattern(std::string_view text, std::uint32_t ids_before, std::size_t id_count) {
  const std::string_view name = raw_member(text, "name");
  std::size_t taken = 0;
  for (std::size_t begin = text.find('"') + 1; begin != 0; begin = text.find('"', std::max(begin, taken)) + 1) {
    std::size_t size = 0;
    std::size_t place = name_place;
    if (!name.empty() && text.data() + begin == name.data() + 1) {
      size = name.size() - 2;
    } else if (const auto id = parse_id(text.substr(begin, id_text_size))) {
      size = id_text_size;
      place = std::size_t{id_count_of(*id)} - ids_before - 1;
      if (place >= id_count) continue;  // an older one, or none of the engine's
    } else {
      continue;
    }
    fixed_.append(text.substr(taken, begin - taken));
    places_.push_back({fixed_.size(), place});
    taken = begin + size;
  }
  fixed_.append(text.substr(taken));
}

std::string TextPattern::with(std::span<const Id> ids, std::string_view name, std::size_t* name_at) const {
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
    if (name_at != nullptr) *name_at = text.size();
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
  const bool is_one = changes.machines.back().id == id && changes.events.back().subject == id && id_count_of(id) == before.ids + 1;
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
  // As they were before they were put.
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
  BodyPart part;
  record.body = body_.with(ids_, name, &part.at);
  if (part.at != 0) part.size = name.size();
  unit.put(std::move(record), std::move(key), references_);
  unit.changes().records.back().part = part;
  Machine machine = machine_;
  machine.id = id;
  unit.put(std::move(machine));
  return id;
}

}  // namespace orlop
