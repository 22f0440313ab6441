// What follows from a family's fields for a record that is already valid: its secrets, its references, its writable part.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/brand.h"
#include "base/sort_unique.h"
#include "model/validate.h"

namespace orlop {
namespace {

// How a field's member is called in records, whichever brand was in force when they were stored.
class Name {
 public:
  explicit Name(const Field& field) : name_(field.name), is_pattern_(field.name.find('{') != std::string_view::npos) {}
  bool is_pattern() const { return is_pattern_; }
  bool fits(std::string_view member) const { return is_pattern_ ? is_branded(member, name_) : member == name_; }

 private:
  std::string_view name_;
  bool is_pattern_;
};

// Finds the members that fields describe, field after field. Both mostly stand in the same order, so that the search begins behind the
// last one found.
class Finder {
 public:
  template <typename Record>
  auto find(Record& record, const Field& field) -> decltype(record.find(field.name)) {
    if (!record.is_object()) return nullptr;
    auto& members = record.members();
    const std::size_t count = members.size();
    const Name name(field);
    std::size_t at = next_ < count && !name.is_pattern() ? next_ : 0;
    for (std::size_t step = 0; step < count; ++step, at = at + 1 == count ? 0 : at + 1) {
      if (!name.fits(members[at].name)) continue;
      next_ = at + 1;
      return &members[at].value;
    }
    return nullptr;
  }

 private:
  std::size_t next_ = 0;
};

// Calls `visit` with every field of `shape` that applies to `record`, which it may take apart.
template <typename Visit>
void each_field(const Shape& shape, const Value& record, Visit visit) {
  const std::string enum_value(shape.discriminator.empty() ? std::string_view() : record.text_or(shape.discriminator, ""));
  for (const Field& field : shape.fields) visit(field);
  if (shape.discriminator.empty()) return;
  for (const Variant& variant : shape.variants) {
    if (variant.enum_value != enum_value) continue;
    for (const Field& field : variant.fields) visit(field);
  }
}

Value split(const Shape& shape, Value& record) {
  Value secrets;
  Finder finder;
  each_field(shape, record, [&](const Field& field) {
    const bool is_sealed = !field.secret_flag.empty() && record.boolean_or(field.secret_flag, false);
    if (!field.is_secret && !is_sealed && field.shape == nullptr) return;
    Value* member = finder.find(record, field);
    if (member == nullptr) return;
    if (field.is_secret) {
      secrets.set(field.name, std::move(*member));
      record.erase(field.name);
    } else if (is_sealed) {
      if (!member->is_null()) secrets.set(field.name, std::exchange(*member, Value()));
    } else if (field.shape != nullptr && member->is_object()) {
      Value inner = split(*field.shape, *member);
      if (!inner.is_null()) secrets.set(field.name, std::move(inner));
    } else if (field.shape != nullptr && member->is_list()) {
      Value inner = Value::list();
      bool any = false;
      for (Value& item : member->items()) {
        inner.append(item.is_object() ? split(*field.shape, item) : Value());
        any = any || !inner.items().back().is_null();
      }
      if (any) secrets.set(field.name, std::move(inner));
    }
  });
  return secrets;
}

// Calls `visit` with every reference field that applies to `record`, at any depth, and its member.
template <typename Record, typename Visit>
void each_reference(const Shape& shape, Record& record, const Visit& visit) {
  Finder finder;
  each_field(shape, record, [&](const Field& field) {
    if (field.refers_to.empty() && field.shape == nullptr) return;
    auto* member = finder.find(record, field);
    if (member == nullptr || member->is_null()) return;
    if (!field.refers_to.empty()) {
      visit(field, *member);
    } else if (member->is_object()) {
      each_reference(*field.shape, *member, visit);
    } else if (member->is_list()) {
      for (auto& item : member->items()) each_reference(*field.shape, item, visit);
    }
  });
}

std::optional<Id> id_in(const Value& value) { return value.is_text() ? parse_id(value.as_text()) : std::nullopt; }

bool names(const Value& member, const Id& id) {
  if (!member.is_list()) return id_in(member) == id;
  return std::ranges::any_of(member.items(), [&id](const Value& item) { return id_in(item) == id; });
}

void put_in_order(const Shape& shape, Value& record);

void put_in_order(const Shape& shape, Value& record);

Value writable_member(const Shape& shape, Value& member);

// Takes the writable members out of `record`.
Value writable(const Shape& shape, Value& record) {
  Value kept = Value::object();
  kept.members().reserve(record.members().size());
  Finder finder;
  const auto keep = [&kept](std::string_view name, const Field& field, Value& member) {
    kept.add(name, field.shape == nullptr ? std::move(member) : writable_member(*field.shape, member));
  };
  each_field(shape, record, [&](const Field& field) {
    if (field.is_read_only || field.compute != nullptr) return;
    const Name name(field);
    if (!name.is_pattern()) {
      if (Value* member = finder.find(record, field)) keep(field.name, field, *member);
      return;
    }
    for (Member& member : record.members()) {
      if (name.fits(member.name)) keep(member.name, field, member.value);
    }
  });
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

void arrange_inside(const Field& field, Value& member) {
  if (field.shape == nullptr) return;
  if (member.is_object()) put_in_order(*field.shape, member);
  if (!member.is_list()) return;
  for (Value& item : member.items()) {
    if (item.is_object()) put_in_order(*field.shape, item);
  }
}

// Which of the fields describes the member; fields.size(): none. The search begins at `next`, where it mostly ends too.
std::size_t place_among(const std::vector<const Field*>& fields, std::string_view member, std::size_t next) {
  const std::size_t count = fields.size();
  for (std::size_t step = 0, at = next < count ? next : 0; step < count; ++step, at = at + 1 == count ? 0 : at + 1) {
    if (fields[at]->name == member) return at;
  }
  const auto fits = [member](const Field* field) { return Name(*field).is_pattern() && Name(*field).fits(member); };
  return static_cast<std::size_t>(std::ranges::find_if(fields, fits) - fields.begin());
}

// For each member where it belongs: those in front that are no field, the fields in their order, and what is left.
std::vector<std::size_t> ranks_of(const Shape& shape, Value& record) {
  std::vector<const Field*> fields;
  fields.reserve(shape.fields.size());
  each_field(shape, record, [&fields](const Field& field) { fields.push_back(&field); });
  std::vector<bool> is_taken(fields.size());
  std::vector<std::size_t> ranks;
  ranks.reserve(record.members().size());
  std::size_t next = 0;
  bool is_front = true;
  for (Member& member : record.members()) {
    const std::size_t place = place_among(fields, member.name, next);
    const bool is_field = place < fields.size() && !is_taken[place];
    is_front = is_front && !is_field;
    ranks.push_back(is_front ? 0 : is_field ? place + 1 : fields.size() + 1);
    if (!is_field) continue;
    is_taken[place] = true;
    next = place + 1;
    arrange_inside(*fields[place], member.value);
  }
  return ranks;
}

void put_in_order(const Shape& shape, Value& record) {
  const std::vector<std::size_t> ranks = ranks_of(shape, record);
  if (std::ranges::is_sorted(ranks)) return;
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&ranks](std::size_t at) { return ranks[at]; });
  Value::Object arranged;
  arranged.reserve(order.size());
  for (const std::size_t at : order) arranged.push_back(std::move(record.members()[at]));
  record.members() = std::move(arranged);
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
  each_reference(Shape{"", fields}, record, [&references](const Field&, const Value& member) {
    if (const auto id = id_in(member)) references.push_back(*id);
    if (!member.is_list()) return;
    for (const Value& item : member.items()) {
      if (const auto id = id_in(item)) references.push_back(*id);
    }
  });
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
