#include "ops/known_creations.h"

#include <algorithm>
#include <utility>

#include "model/metadata.h"
#include "model/validate.h"
#include "ops/commit/store_record.h"
#include "ops/name.h"
#include "wire/member.h"

namespace orlop {
namespace {

constexpr std::size_t kept_size_max = 8192;  // bytes of a text: so that what is kept of all families is small
constexpr std::size_t bodies_max = 8;        // of a family

// Members in the same order, but for the name.
bool is_same_but_name(const Value& given, const Value& body) {
  auto kept = given.members().begin();
  for (const Member& member : body.members()) {
    if (member.name == "name") continue;
    if (kept == given.members().end() || !(*kept == member)) return false;
    ++kept;
  }
  return kept == given.members().end();
}

Value without_name(const Value& body) {
  Value given = Value::object();
  for (const Member& member : body.members()) {
    if (member.name != "name") given.members().push_back(member);
  }
  return given;
}

bool holds_text(const Value& value, std::string_view text) {
  return value.as_text().find(text) != std::string::npos ||
         std::ranges::any_of(value.items(), [&](const Value& item) { return holds_text(item, text); }) ||
         std::ranges::any_of(value.members(), [&](const Member& member) { return member.name.view().find(text) != std::string_view::npos || holds_text(member.value, text); });
}

bool is_same(const Record& left, const Record& right) {
  return left.id == right.id && left.family == right.family && left.organization == right.organization && left.body == right.body;
}

// Whether the rules would read what they have read.
Result<bool> reads_same(Unit& unit, const std::vector<std::shared_ptr<const Record>>& read) {
  for (const auto& before : read) {
    HeldRecord held;
    ORLOP_TRY(now, unit.seen_record(before->id, held));
    if (now == nullptr || (now != before.get() && !is_same(*now, *before))) return false;
  }
  return true;
}

bool is_valid_name(const Family& family, std::string_view name, ValidationContext& context) {
  Violations violations;
  const Value made = make_member(*name_field(family), Value(name), "name", context, violations);
  return violations.empty() && made.as_text() == name;
}

}  // namespace

bool has_rules_without_name(const Family& family) {
  return (family.machine == MachineKind::service || family.machine == MachineKind::environment || family.ignores_name) && family.propagates == Propagation::self;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char letter) { return letter >= 0x20 && letter < 0x7F && letter != '"' && letter != '\\'; });
}

// The times that every record begins with are those of this one; any other does not follow from what is known.
KnownCreations::Text::Text(const Record& record, Instant now, std::string_view name) {
  const std::string_view text = record.body;
  const std::string_view beginning = text.substr(0, begin_of_text(record, now).size());
  const std::string own = to_text(record.id);
  const std::string parent = to_text(record.parent);
  const std::string time = to_text(now);
  const auto name_at = static_cast<std::size_t>(name.data() - text.data());
  for (std::size_t at = 0;;) {
    const std::pair<std::size_t, Part> places[] = {{at <= name_at ? name_at : std::string_view::npos, Part::name},
                                                   {text.find(own, at), Part::own_id},
                                                   {text.find(parent, at), Part::parent_id},
                                                   {beginning.find(time, at), Part::time}};
    const auto [next, part] = *std::ranges::min_element(places);
    fixed_.append(text.substr(at, next - at));
    if (next == std::string_view::npos) return;
    places_.push_back({fixed_.size(), part});
    at = next + (part == Part::name ? name.size() : part == Part::time ? instant_text_size : id_text_size);
  }
}

std::string KnownCreations::Text::with(const Record& record, Instant now, std::string_view name, BodyPart& part) const {
  std::string made;
  made.reserve(fixed_.size() + places_.size() * id_text_size + name.size());
  const char* taken = fixed_.data();
  for (const Place& place : places_) {
    made.append(taken, fixed_.data() + place.at);
    taken = fixed_.data() + place.at;
    switch (place.part) {
      case Part::name:
        part = {made.size(), name.size()};
        made.append(name);
        break;
      case Part::own_id: append_text(made, record.id); break;
      case Part::parent_id: append_text(made, record.parent); break;
      case Part::time: append_text(made, now); break;
    }
  }
  made.append(taken, fixed_.data() + fixed_.size());
  return made;
}

bool KnownCreations::Known::is_of(const Record& record, const Value& body) const { return organization == record.organization && is_same_but_name(given, body); }

std::vector<Id> KnownCreations::Known::references_for(const Record& record) const {
  std::vector<Id> made = references;
  if (refers_to_parent) made.insert(std::ranges::upper_bound(made, record.parent), record.parent);
  return made;
}

// A text of the body, or of a record that was read, that holds the id of the parent or of the record means the same one in every record.
void KnownCreations::Known::foretell(const Unit& unit, const UnitContext& context, const NewRecord& made, std::string_view name) {
  const Record& record = made.record;
  const std::optional<std::vector<Id>>& referred = unit.changes().records.back().references;
  const std::string_view raw_name = raw_member(record.body, "name");
  const std::string ids[] = {to_text(record.id), to_text(record.parent)};
  trust = Trust::none;
  const bool is_foretold = context.is_repeatable() && referred && raw_name.size() == name.size() + 2 && given.find(metadata_field.name) == nullptr &&
                           std::ranges::find(*referred, record.id) == referred->end() && std::ranges::none_of(ids, [this](const std::string& id) { return holds_text(given, id); });
  if (!is_foretold) return;
  read.clear();
  for (const auto& [id, one] : context.named()) {
    if (std::ranges::any_of(ids, [&body = one->body](const std::string& id_text) { return body.find(id_text) != std::string::npos; })) return;
    read.push_back(one);
  }
  parent = record.parent;
  text = Text(record, unit.now(), raw_name.substr(1, name.size()));
  references = *referred;
  refers_to_parent = std::erase(references, parent) != 0;
  plan_flags = made.plan_flags;
  trust = Trust::foretold;
}

bool KnownCreations::Known::has_read(const UnitContext& context) const {
  return read.size() == context.named().size() && std::ranges::all_of(read, [&context](const auto& one) {
    const auto* const now = context.named().find(one->id);
    return now != nullptr && *now != nullptr && is_same(**now, *one);
  });
}

bool KnownCreations::Known::has_foretold(const Unit& unit, const NewRecord& made, std::string_view name) const {
  BodyPart part;
  return made.plan_flags == plan_flags && unit.changes().records.back().references == references_for(made.record) &&
         made.record.body == text.with(made.record, unit.now(), name, part);
}

KnownCreations& KnownCreations::of(Unit& unit) {
  std::shared_ptr<KnownCreations>& known = unit.known_creations();
  if (known == nullptr) known = std::make_shared<KnownCreations>();
  return *known;
}

Result<std::optional<NewRecord>> KnownCreations::repeat(Unit& unit, const Family& family, const Record& record, const Value& body) {
  constexpr std::optional<NewRecord> nothing;
  std::vector<Known>* const bodies = families_.find(family.number);
  const std::string_view name = body.text_or("name", "");
  if (bodies == nullptr || !is_plain_name(name)) return nothing;
  UnitContext context(unit, record, nullptr);
  const auto found = std::ranges::find_if(*bodies, [&](const Known& known) { return known.is_of(record, body) && (!known.siblings || known.siblings == context.sibling_count()); });
  if (found == bodies->end() || found->trust < Trust::here || (found->trust == Trust::here && found->parent != record.parent)) return nothing;
  if (!context.outcome()) return context.outcome().error();
  if (!is_valid_name(family, name, context)) return nothing;
  ORLOP_TRY(is_same, reads_same(unit, found->read));
  if (!is_same) {
    found->trust = Trust::seen;
    return nothing;
  }
  std::rotate(bodies->begin(), found, found + 1);
  const Known& known = bodies->front();
  Record made = record;
  BodyPart part;
  made.body = known.text.with(record, unit.now(), name, part);
  ORLOP_TRY(put, put_new_text(unit, family, std::move(made), name, known.references_for(record), part));
  return std::optional(NewRecord{std::move(put), known.plan_flags});
}

void KnownCreations::learn(const Unit& unit, const Family& family, const Value& body, const UnitContext& context, const NewRecord& made) {
  // What is secret is kept nowhere but in its record.
  if (!has_rules_without_name(family) || made.record.body.size() > kept_size_max || !made.record.secrets.empty()) return;
  std::vector<Known>& bodies = families_[family.number];
  const auto found = std::ranges::find_if(bodies, [&](const Known& known) { return known.is_of(made.record, body) && known.siblings == context.siblings(); });
  if (found == bodies.end()) {
    if (bodies.size() == bodies_max) bodies.pop_back();
    Known& seen = *bodies.emplace(bodies.begin());
    seen.given = without_name(body);
    seen.organization = made.record.organization;
    seen.siblings = context.siblings();
    return;
  }
  const std::string_view name = body.text_or("name", "");
  if (found->trust == Trust::none || !is_plain_name(name)) return;
  const bool was_foretold = found->trust != Trust::seen && found->has_foretold(unit, made, name);
  if (was_foretold) found->trust = found->parent != made.record.parent ? Trust::everywhere : Trust::here;
  else if (found->trust != Trust::seen && found->has_read(context)) found->trust = Trust::none;
  else found->foretell(unit, context, made, name);
}

}  // namespace orlop
