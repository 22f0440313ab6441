// What follows from a family's fields for a record that is already valid: its secrets, its references, its writable part.
#include <algorithm>

#include "base/brand.h"
#include "base/sort_unique.h"
#include "model/validate.h"

namespace orlop {
namespace {

// Whether the member is called as the field says, whichever brand was in force when it was stored. Most are not, and differ in their first
// letter.
bool is_called(std::string_view member, std::string_view field) {
  if (!member.empty() && member.front() != field.front() && field.front() != '{') return false;
  return is_branded(member, field);
}

// The member that the field describes; a name that carries the brand is found under whichever was in force when it was stored.
template <typename Record>
auto find_member(Record& record, const Field& field) -> decltype(record.find(field.name)) {
  if (field.name.find('{') == std::string_view::npos || !record.is_object()) return record.find(field.name);
  for (auto& member : record.members()) {
    if (is_called(member.name, field.name)) return &member.value;
  }
  return nullptr;
}

// Calls `visit` with every field of `shape` that applies to `record`.
template <typename Visit>
void each_field(const Shape& shape, const Value& record, Visit visit) {
  for (const Field& field : shape.fields) visit(field);
  if (shape.discriminator.empty()) return;
  const std::string_view enum_value = record.text_or(shape.discriminator, "");
  for (const Variant& variant : shape.variants) {
    if (variant.enum_value != enum_value) continue;
    for (const Field& field : variant.fields) visit(field);
  }
}

Value split(const Shape& shape, Value& record) {
  Value secrets;
  each_field(shape, record, [&](const Field& field) {
    Value* member = find_member(record, field);
    if (member == nullptr) return;
    if (field.is_secret) {
      secrets.set(field.name, std::move(*member));
      record.erase(field.name);
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

void collect(const Shape& shape, const Value& record, std::vector<Id>& references) {
  each_field(shape, record, [&](const Field& field) {
    const Value* member = find_member(record, field);
    if (member == nullptr || member->is_null()) return;
    if (!field.refers_to.empty() && member->is_text()) {
      if (const auto id = parse_id(member->as_text())) references.push_back(*id);
    } else if (!field.refers_to.empty() && member->is_list()) {
      for (const Value& item : member->items()) {
        if (const auto id = item.is_text() ? parse_id(item.as_text()) : std::nullopt) references.push_back(*id);
      }
    } else if (field.shape != nullptr && member->is_object()) {
      collect(*field.shape, *member, references);
    } else if (field.shape != nullptr && member->is_list()) {
      for (const Value& item : member->items()) collect(*field.shape, item, references);
    }
  });
}

Value writable_member(const Shape& shape, const Value& member);

Value writable(const Shape& shape, const Value& record) {
  Value kept = Value::object();
  each_field(shape, record, [&](const Field& field) {
    if (field.is_read_only || field.compute != nullptr) return;
    for (const Member& member : record.members()) {
      if (!is_called(member.name, field.name)) continue;
      kept.set(member.name, field.shape == nullptr ? member.value : writable_member(*field.shape, member.value));
    }
  });
  return kept;
}

Value writable_member(const Shape& shape, const Value& member) {
  if (member.is_object()) return writable(shape, member);
  if (!member.is_list()) return member;
  Value items = Value::list();
  for (const Value& item : member.items()) items.append(item.is_object() ? writable(shape, item) : item);
  return items;
}

void put_in_order(const Shape& shape, Value& record) {
  std::vector<const Field*> order;
  each_field(shape, record, [&order](const Field& field) { order.push_back(&field); });
  Value::Object& members = record.members();
  const auto is_field = [&order](const Member& member) {
    return std::ranges::any_of(order, [&member](const Field* field) { return is_called(member.name, field->name); });
  };
  auto next = static_cast<std::size_t>(std::ranges::find_if(members, is_field) - members.begin());
  for (const Field* field : order) {
    std::size_t at = next;
    while (at < members.size() && !is_called(members[at].name, field->name)) ++at;
    if (at == members.size()) continue;
    Value& member = members[at].value;
    if (field->shape != nullptr && member.is_object()) put_in_order(*field->shape, member);
    if (field->shape != nullptr && member.is_list()) {
      for (Value& item : member.items()) {
        if (item.is_object()) put_in_order(*field->shape, item);
      }
    }
    const auto from = members.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(members.begin() + static_cast<std::ptrdiff_t>(next), from, from + 1);
    ++next;
  }
}

}  // namespace

void arrange(std::span<const Field> fields, Value& record) { put_in_order(Shape{"", fields}, record); }

Value split_secrets(std::span<const Field> fields, Value& record) { return split(Shape{"", fields}, record); }

void join_secrets(Value& record, const Value& secrets) {
  if (record.is_object() && secrets.is_object()) {
    for (const Member& member : secrets.members()) {
      if (Value* place = record.find(member.name)) {
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
  collect(Shape{"", fields}, record, references);
  sort_unique(references);
  return references;
}

Value without_read_only(std::span<const Field> fields, const Value& record) { return writable(Shape{"", fields}, record); }

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
