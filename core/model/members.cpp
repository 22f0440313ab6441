// Parts of a valid record by its family's fields: secrets, references, the writable part.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/brand.h"
#include "base/sort_unique.h"
#include "model/check_value.h"
#include "model/registry.h"
#include "model/validate.h"

namespace orlop {
namespace {

// Returns the variant that the object selects, or null if there is none. The brand is unknown here: a value that
// matches no other variant is taken for the branded one.
const Variant* variant_of(const Shape& shape, const Value& object) {
  if (shape.discriminator.empty()) return nullptr;
  const std::string_view chosen = object.text_or(shape.discriminator, "");
  const auto variant = std::ranges::find(shape.variants, chosen, &Variant::enum_value);
  if (variant != shape.variants.end()) return &*variant;
  const auto branded = std::ranges::find_if(
      shape.variants, [chosen](const Variant& each) { return is_branded(chosen, each.enum_value); });
  return branded == shape.variants.end() ? nullptr : &*branded;
}

// Finds the fields of an object's members, one member after the other. Members are mostly in the order of the fields,
// so the search starts after the field found last.
class FieldFinder {
 public:
  FieldFinder(const Shape& shape, const Value& object) : fields_(shape.fields) {
    if (const Variant* variant = variant_of(shape, object)) more_ = variant->fields;
  }

  std::size_t count() const { return fields_.size() + more_.size(); }
  const Field& at(std::size_t place) const {
    return place < fields_.size() ? fields_[place] : more_[place - fields_.size()];
  }

  // Returns the index of the field; count() if the member is not a field.
  std::size_t place_of(std::string_view member) {
    const std::size_t end = count();
    std::size_t place = next_;
    for (std::size_t left = end; left > 0; --left, ++place) {
      if (place == end) place = 0;
      if (!is_called(at(place), member)) continue;
      next_ = place + 1;
      return place;
    }
    place = scan_brands(member);
    if (place != end) next_ = place + 1;
    return place;
  }
  // Returns null if the member is not a field.
  const Field* find(std::string_view member) {
    const std::size_t place = place_of(member);
    return place < count() ? &at(place) : nullptr;
  }

  // Returns the rank of a member in the order of arrange(): leading members that are not fields, the fields in their
  // order, all others. Call it for all members in their order.
  std::size_t rank_of(std::string_view member) {
    const std::size_t place = place_of(member);
    is_front_ = is_front_ && place == count();
    return is_front_ ? 0 : place + 1;
  }
  // Returns the field with this rank, or null if there is none.
  const Field* with_rank(std::size_t rank) const { return rank == 0 || rank > count() ? nullptr : &at(rank - 1); }

 private:
  static bool is_called(const Field& field, std::string_view member) {
    return field.name.size() == member.size() && (field.name.data() == member.data() || field.name == member);
  }
  // A record has the brand in force when it was stored.
  std::size_t scan_brands(std::string_view member) const {
    std::size_t place = 0;
    while (place < count() && !(at(place).has_brand && is_branded(member, at(place).name))) ++place;
    return place;
  }

  std::span<const Field> fields_;
  std::span<const Field> more_;  // of the variant
  std::size_t next_ = 0;
  bool is_front_ = true;  // no member so far was a field
};

bool any_field(const Shape& shape, bool (*holds)(const Field&)) {
  return std::ranges::any_of(shape.fields, holds) ||
         std::ranges::any_of(shape.variants,
                             [holds](const Variant& variant) { return std::ranges::any_of(variant.fields, holds); });
}

// Reports whether the field has secrets or references, at any depth.
bool holds_secrets(const Field& field) {
  return field.is_secret || (field.shape != nullptr && any_field(*field.shape, holds_secrets));
}
bool holds_references(const Field& field) {
  return !field.refers_to.empty() || (field.shape != nullptr && any_field(*field.shape, holds_references));
}

using Fields = std::vector<const Field*>;

Fields fields_that(std::span<const Field> fields, bool (*holds)(const Field&)) {
  Fields found;
  for (const Field& field : fields) {
    if (holds(field)) found.push_back(&field);
  }
  return found;
}

// Fields of a family that can have secrets or references. Cached, because most fields have neither.
struct Holders {
  const Field* first = nullptr;  // of the family's fields
  Fields secrets;
  Fields references;
  Fields items_found_by_id;
};

// Shapes of list items that other records and paths name by their `id` alone. The record refers to these ids, so that
// it can be found by them.
constexpr std::string_view shapes_found_by_id[] = {"SecretManagerAccess"};

bool holds_items_found_by_id(const Field& field) {
  return field.shape != nullptr && field.kind == FieldKind::list &&
         std::ranges::find(shapes_found_by_id, field.shape->name) != std::end(shapes_found_by_id);
}

// Returns null if these are not the fields of a family.
const Holders* holders_of(std::span<const Field> fields) {
  static const std::vector<Holders> known = [] {
    std::vector<Holders> made;
    for (const auto families : {all_families(), internal_families()}) {
      for (const Family* family : families) {
        made.push_back({family->fields.data(), fields_that(family->fields, holds_secrets),
                        fields_that(family->fields, holds_references),
                        fields_that(family->fields, holds_items_found_by_id)});
      }
    }
    std::ranges::sort(made, std::less<>(), &Holders::first);
    return made;
  }();
  const auto found = std::ranges::lower_bound(known, fields.data(), std::less<>(), &Holders::first);
  return found != known.end() && found->first == fields.data() ? &*found : nullptr;
}

// Calls `visit` with each field that satisfies `holds` and applies to `object`, and its member, which `visit` may move.
template <typename Object, typename Visit>
void each_holder(const Shape& shape, Object& object, Fields Holders::*kind, bool (*holds)(const Field&),
                 const Visit& visit) {
  const auto take = [&](const Fields& fields) {
    for (const Field* field : fields) {
      if (auto* const member = object.find(field->name)) visit(*field, *member);
    }
  };
  const Variant* const variant = variant_of(shape, object);
  if (const Holders* known = holders_of(shape.fields)) take(known->*kind);
  else take(fields_that(shape.fields, holds));
  if (variant != nullptr) take(fields_that(variant->fields, holds));
}

Value split(const Shape& shape, Value& object);

// Splits the secrets from a member that has a shape.
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
  each_holder(shape, object, &Holders::secrets, holds_secrets, [&](const Field& field, Value& member) {
    if (field.is_secret) {
      secrets.set(field.name, std::move(member));
      object.erase(field.name);
    } else {
      Value inner = split_inside(*field.shape, member);
      if (!inner.is_null()) secrets.set(field.name, std::move(inner));
    }
  });
  return secrets;
}

// Collects the ids in the value of a reference field.
void collect_ids(const Value& given, std::vector<Id>& references) {
  if (const auto id = given.is_text() ? parse_id(given.as_text()) : std::nullopt) references.push_back(*id);
  for (const Value& item : given.items()) collect_ids(item, references);
}

// Calls `visit` with every reference field that applies to `object`, at any depth, and its member.
template <typename Object, typename Visit>
void each_reference(const Shape& shape, Object& object, const Visit& visit) {
  each_holder(shape, object, &Holders::references, holds_references, [&visit](const Field& field, auto& member) {
    if (!field.refers_to.empty()) {
      visit(field, member);
    } else if (member.is_object()) {
      each_reference(*field.shape, member, visit);
    } else if (member.is_list()) {
      for (auto& item : member.items()) each_reference(*field.shape, item, visit);
    }
  });
}

// Returns the strictest behaviour that the fields declare, at any depth; nullopt if they have no reference.
std::optional<OnDelete> strictest_of(std::span<const Field> fields) {
  std::optional<OnDelete> strictest;
  const auto take = [&strictest](std::optional<OnDelete> other) {
    if (other) strictest = std::min(strictest.value_or(*other), *other);
  };
  for (const Field& field : fields) {
    if (!field.refers_to.empty()) take(field.on_delete_of_target);
    if (field.shape == nullptr) continue;
    take(strictest_of(field.shape->fields));
    for (const Variant& variant : field.shape->variants) take(strictest_of(variant.fields));
  }
  return strictest;
}

std::optional<Id> id_in(const Value& value) { return value.is_text() ? parse_id(value.as_text()) : std::nullopt; }

bool names(const Value& member, const Id& id) {
  if (!member.is_list()) return id_in(member) == id;
  return std::ranges::any_of(member.items(), [&id](const Value& item) { return id_in(item) == id; });
}

Value writable_member(const Shape& shape, Value& member);

// Moves the writable members out of `object`.
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

void arrange(const Shape& shape, Value& object);

void arrange_inside(const Field& field, Value& member) {
  if (field.shape == nullptr) return;
  if (member.is_object()) arrange(*field.shape, member);
  if (!member.is_list()) return;
  for (Value& item : member.items()) {
    if (item.is_object()) arrange(*field.shape, item);
  }
}

// Sorts members by the order of their fields, also in nested objects.
void arrange(const Shape& shape, Value& object) {
  FieldFinder finder(shape, object);
  Value::Object& members = object.members();
  std::size_t last = 0;
  for (auto member = members.begin(); member != members.end(); ++member) {
    const std::size_t rank = finder.rank_of(member->name);
    if (const Field* const field = finder.with_rank(rank)) arrange_inside(*field, member->value);
    if (rank >= last) {
      last = rank;
      continue;
    }
    // Few members are out of order: those that a rule of the family has added.
    FieldFinder again(shape, object);
    const auto to =
        std::find_if(members.begin(), member, [&](const Member& before) { return again.rank_of(before.name) > rank; });
    Member moved = std::move(*member);
    std::move_backward(to, member, member + 1);
    *to = std::move(moved);
  }
}

}  // namespace

void arrange(std::span<const Field> fields, Value& record) { arrange(Shape{"", fields}, record); }

Value split_secrets(std::span<const Field> fields, Value& record) { return split(Shape{"", fields}, record); }

void join_secrets(Value& record, const Value& secrets) {
  if (record.is_object() && secrets.is_object()) {
    for (const Member& member : secrets.members()) {
      if (Value* place = record.find(member.name)) {
        if (place->is_null()) *place = member.value;  // null in the record, as a secret variable's value
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

namespace {

void collect_item_ids(std::span<const Field> fields, const Value& record, std::vector<Id>& ids) {
  each_holder(Shape{"", fields}, record, &Holders::items_found_by_id, holds_items_found_by_id,
              [&ids](const Field&, const Value& items) {
                for (const Value& item : items.items()) {
                  if (const Value* id = item.find("id")) collect_ids(*id, ids);
                }
              });
}

}  // namespace

std::vector<Id> references_of(std::span<const Field> fields, const Value& record) {
  std::vector<Id> references;
  each_reference(Shape{"", fields}, record,
                 [&references](const Field&, const Value& member) { collect_ids(member, references); });
  collect_item_ids(fields, record, references);
  sort_unique(references);
  return references;
}

// If no member names `id`, the strictest behaviour of all references applies: the alias of a built-in variable refers
// to its service, but no member names the service.
OnDelete behaviour_on_delete(std::span<const Field> fields, const Value& record, const Id& id) {
  std::optional<OnDelete> strictest;
  each_reference(Shape{"", fields}, record, [&](const Field& field, const Value& member) {
    if (names(member, id))
      strictest = std::min(strictest.value_or(field.on_delete_of_target), field.on_delete_of_target);
  });
  return strictest.value_or(strictest_of(fields).value_or(OnDelete::refuse));
}

Value without_read_only(std::span<const Field> fields, Value record) { return writable(Shape{"", fields}, record); }

std::optional<Value> typed_text(FieldKind kind, std::string_view text) {
  if (kind == FieldKind::boolean) {
    if (text != "true" && text != "false") return std::nullopt;
    return Value(text == "true");
  }
  if (kind != FieldKind::integer) return Value(text);
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return Value(number);
}

Value parse_parameter(const Field& field, std::string_view text, Violations& violations, std::string_view brand) {
  const std::optional<Value> given = typed_text(field.kind, text);
  if (!given) {
    const std::string_view allowed = field.kind == FieldKind::boolean ? "true or false" : "an integer";
    violations.push_back({std::string(field.name), "must be " + std::string(allowed) + ", not " + quoted_text(text)});
    return {};
  }
  Value body = Value::object();
  body.set(field.name, *given);
  const Value checked = make_body(std::span(&field, 1), body, violations, brand);
  const Value* member = checked.find(field.name);
  return member == nullptr ? Value() : *member;
}

}  // namespace orlop
