// What follows from a family's fields for a record that is already valid: its secrets, its references, its writable part.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/brand.h"
#include "base/sort_unique.h"
#include "model/validate.h"

namespace orlop {
namespace {

// Finds the fields that describe the members of an object, member after member. Both mostly stand in the same order, so that the search
// begins behind the field found last.
class FieldFinder {
 public:
  FieldFinder(const Shape& shape, const Value& object) : fields_(shape.fields) {
    if (shape.discriminator.empty()) return;
    const auto variant = std::ranges::find(shape.variants, object.text_or(shape.discriminator, ""), &Variant::enum_value);
    if (variant != shape.variants.end()) more_ = variant->fields;
  }

  std::size_t count() const { return fields_.size() + more_.size(); }
  const Field& at(std::size_t place) const { return place < fields_.size() ? fields_[place] : more_[place - fields_.size()]; }

  template <typename Fits>
  bool any_of(Fits fits) const {
    return std::ranges::any_of(fields_, fits) || std::ranges::any_of(more_, fits);
  }

  // The place of the field; count() if none describes the member.
  std::size_t place_of(std::string_view member) {
    std::size_t place = scan(next_, count(), member);
    if (place == count()) place = scan(0, next_, member);
    if (place == count()) place = scan_brands(member);
    if (place != count()) next_ = place + 1;
    return place;
  }
  // nullptr if there is none.
  const Field* find(std::string_view member) {
    const std::size_t place = place_of(member);
    return place < count() ? &at(place) : nullptr;
  }

 private:
  static bool is_called(const Field& field, std::string_view member) {
    return field.name.size() == member.size() && (field.name.data() == member.data() || field.name == member);
  }
  std::size_t scan(std::size_t from, std::size_t to, std::string_view member) const {
    std::size_t place = from;
    for (const std::size_t end = std::min(to, fields_.size()); place < end; ++place) {
      if (is_called(fields_[place], member)) return place;
    }
    for (; place < to; ++place) {
      if (is_called(at(place), member)) return place;
    }
    return count();
  }
  // A record holds the brand that was in force when it was stored.
  std::size_t scan_brands(std::string_view member) const {
    std::size_t place = 0;
    while (place < count() && !(at(place).has_brand && is_branded(member, at(place).name))) ++place;
    return place;
  }

  std::span<const Field> fields_;
  std::span<const Field> more_;  // of the variant
  std::size_t next_ = 0;
};

Value split(const Shape& shape, Value& object);

// The secrets in a member that has a shape.
Value split_inside(const Shape& shape, Value& member) {
  if (member.is_object()) return split(shape, member);
  if (!member.is_list()) return Value();
  bool has_any = false;
  Value secrets = Value::list();
  for (Value& item : member.items()) {
    secrets.append(item.is_object() ? split(shape, item) : Value());
    has_any = has_any || !secrets.items().back().is_null();
  }
  return has_any ? std::move(secrets) : Value();
}

Value split(const Shape& shape, Value& object) {
  Value secrets;
  FieldFinder finder(shape, object);
  const bool has_secrets = finder.any_of([](const Field& field) { return field.is_secret || !field.secret_flag.empty(); });
  Value::Object& members = object.members();
  for (std::size_t at = 0; at < members.size();) {
    Member& member = members[at++];
    if (!has_secrets && !member.value.is_object() && !member.value.is_list()) continue;
    const Field* field = finder.find(member.name);
    if (field == nullptr) continue;
    if (field->is_secret) {
      secrets.set(member.name, std::move(member.value));
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(--at));
    } else if (!field->secret_flag.empty() && object.boolean_or(field->secret_flag, false)) {
      if (!member.value.is_null()) secrets.set(member.name, std::exchange(member.value, Value()));
    } else if (field->shape != nullptr) {
      Value inner = split_inside(*field->shape, member.value);
      if (!inner.is_null()) secrets.set(member.name, std::move(inner));
    }
  }
  return secrets;
}

// What the value of a reference field names.
void collect_ids(const Value& given, std::vector<Id>& references) {
  if (const auto id = given.is_text() ? parse_id(given.as_text()) : std::nullopt) references.push_back(*id);
  for (const Value& item : given.items()) collect_ids(item, references);
}

// Calls `visit` with every reference field that applies to `object`, at any depth, and its member.
template <typename Object, typename Visit>
void each_reference(const Shape& shape, Object& object, const Visit& visit) {
  FieldFinder finder(shape, object);
  for (auto& [name, value] : object.members()) {
    const bool may_refer = value.is_text() ? value.as_text().size() == id_text_size : value.is_list() || value.is_object();
    if (!may_refer) continue;
    const Field* field = finder.find(name);
    if (field == nullptr) continue;
    if (!field->refers_to.empty()) {
      visit(*field, value);
    } else if (field->shape != nullptr && value.is_object()) {
      each_reference(*field->shape, value, visit);
    } else if (field->shape != nullptr && value.is_list()) {
      for (auto& item : value.items()) each_reference(*field->shape, item, visit);
    }
  }
}

std::optional<Id> id_in(const Value& value) { return value.is_text() ? parse_id(value.as_text()) : std::nullopt; }

bool names(const Value& member, const Id& id) {
  if (!member.is_list()) return id_in(member) == id;
  return std::ranges::any_of(member.items(), [&id](const Value& item) { return id_in(item) == id; });
}

Value writable_member(const Shape& shape, Value& member);

// Takes the writable members out of `object`.
Value writable(const Shape& shape, Value& object) {
  Value kept = Value::object();
  kept.members().reserve(object.members().size());
  FieldFinder finder(shape, object);
  for (Member& member : object.members()) {
    const Field* field = finder.find(member.name);
    if (field == nullptr || field->is_read_only || field->compute != nullptr) continue;
    Value value = field->shape == nullptr ? std::move(member.value) : writable_member(*field->shape, member.value);
    kept.members().push_back({std::move(member.name), std::move(value)});
  }
  return kept;
}

Value writable_member(const Shape& shape, Value& member) {
  if (member.is_object()) return writable(shape, member);
  if (!member.is_list()) return std::move(member);
  Value items = Value::list();
  items.items().reserve(member.items().size());
  for (Value& item : member.items()) items.append(item.is_object() ? writable(shape, item) : std::move(item));
  return items;
}

void put_in_order(const Shape& shape, Value& object);

void arrange_inside(const Field& field, Value& member) {
  if (field.shape == nullptr) return;
  if (member.is_object()) put_in_order(*field.shape, member);
  if (!member.is_list()) return;
  for (Value& item : member.items()) {
    if (item.is_object()) put_in_order(*field.shape, item);
  }
}

// For each member where it belongs: those in front that are no field, the fields in their order, and what is left.
std::vector<std::size_t> ranks_of(const Shape& shape, Value& object) {
  FieldFinder finder(shape, object);
  std::vector<std::size_t> ranks;
  ranks.reserve(object.members().size());
  bool is_front = true;
  for (Member& member : object.members()) {
    const std::size_t place = finder.place_of(member.name);
    const bool is_field = place < finder.count();
    is_front = is_front && !is_field;
    ranks.push_back(is_front ? 0 : place + 1);
    if (is_field) arrange_inside(finder.at(place), member.value);
  }
  return ranks;
}

void put_in_order(const Shape& shape, Value& object) {
  const std::vector<std::size_t> ranks = ranks_of(shape, object);
  if (std::ranges::is_sorted(ranks)) return;
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Few stand out of order: those that a rule of the family has added.
  for (std::size_t at = 1; at < order.size(); ++at) {
    const std::size_t moved = order[at];
    std::size_t to = at;
    for (; to > 0 && ranks[order[to - 1]] > ranks[moved]; --to) order[to] = order[to - 1];
    order[to] = moved;
  }
  Value::Object arranged;
  arranged.reserve(order.size());
  for (const std::size_t at : order) arranged.push_back(std::move(object.members()[at]));
  object.members() = std::move(arranged);
}

}  // namespace

void arrange(std::span<const Field> fields, Value& record) { put_in_order(Shape{"", fields}, record); }

Value split_secrets(std::span<const Field> fields, Value& record) { return split(Shape{"", fields}, record); }

void join_secrets(Value& record, const Value& secrets) {
  if (record.is_object() && secrets.is_object()) {
    for (const Member& member : secrets.members()) {
      if (Value* place = record.find(member.name)) {
        if (place->is_null()) *place = member.value;
        join_secrets(*place, member.value);
      } else {
        record.set(member.name, member.value);
      }
    }
  } else if (record.is_list() && secrets.is_list()) {
    const std::size_t count = std::min(record.items().size(), secrets.items().size());
    for (std::size_t at = 0; at < count; ++at) join_secrets(record.items()[at], secrets.items()[at]);
  }
}

std::vector<Id> references_of(std::span<const Field> fields, const Value& record) {
  std::vector<Id> references;
  each_reference(Shape{"", fields}, record, [&references](const Field&, const Value& member) { collect_ids(member, references); });
  sort_unique(references);
  return references;
}

OnDelete behaviour_on_delete(std::span<const Field> fields, const Value& record, const Id& id) {
  OnDelete strictest = OnDelete::clear;
  bool is_named = false;
  each_reference(Shape{"", fields}, record, [&](const Field& field, const Value& member) {
    if (!names(member, id)) return;
    is_named = true;
    strictest = std::min(strictest, field.on_delete_of_target);
  });
  return is_named ? strictest : OnDelete::refuse;
}

void clear_references(std::span<const Field> fields, Value& record, const Id& id) {
  each_reference(Shape{"", fields}, record, [&](const Field& field, Value& member) {
    if (field.on_delete_of_target != OnDelete::clear) return;
    if (member.is_list()) {
      std::erase_if(member.items(), [&id](const Value& item) { return id_in(item) == id; });
    } else if (id_in(member) == id) {
      member = Value();
    }
  });
}

Value without_read_only(std::span<const Field> fields, Value record) { return writable(Shape{"", fields}, record); }

Value parse_parameter(const Field& field, std::string_view text, Violations& violations) {
  const Value body = [&] {
    Value value = Value::object();
    if (field.kind == FieldKind::boolean && (text == "true" || text == "false")) {
      value.set(field.name, Value(text == "true"));
    } else if (field.kind == FieldKind::integer && !text.empty() && text.size() < 18 &&
               std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; })) {
      value.set(field.name, Value(static_cast<std::int64_t>(std::stoll(std::string(text)))));
    } else {
      value.set(field.name, Value(text));
    }
    return value;
  }();
  const Value checked = make_body(std::span(&field, 1), body, violations);
  const Value* member = checked.find(field.name);
  return member == nullptr ? Value() : *member;
}

}  // namespace orlop
