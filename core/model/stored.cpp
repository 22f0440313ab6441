#include "model/stored.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/text/utf8.h"
#include "model/check_value.h"
#include "model/form.h"
#include "model/validate.h"

namespace orlop {
namespace {

class StoredChecker {
 public:
  StoredChecker(Violations& violations, std::vector<StoredReference>& references)
      : violations_(violations), references_(references) {}

  void check_members(const Shape& shape, const Value& object, const Path& path) {
    check_fields(shape.fields, object, path);
    if (shape.discriminator.empty()) return;
    const auto variant =
        std::ranges::find(shape.variants, object.text_or(shape.discriminator, ""), &Variant::enum_value);
    if (variant != shape.variants.end()) check_fields(variant->fields, object, path);
  }

 private:
  // The name of a branded member depends on the engine's brand, which may have changed since.
  static bool is_stored(const Field& field) {
    return field.compute == nullptr && !field.is_input_only && !field.has_brand;
  }

  void check_fields(std::span<const Field> fields, const Value& object, const Path& path) {
    for (const Field& field : fields) {
      if (!is_stored(field) || violations_.size() >= violations_counted_max) continue;
      const Value* const member = object.find(field.name);
      if (member != nullptr) check(field, *member, path.in(field.name));
      else if (field.is_required && !field.is_secret) violate(path.in(field.name), "is missing");
    }
  }

  void check(const Field& field, const Value& value, const Path& path) {
    if (field.kind == FieldKind::any || value.is_null()) {
      if (value.is_null() && field.is_required && !field.is_nullable && !field.is_secret)
        violate(path, "must not be null");
      return;
    }
    if (!has_type_of(field, value))
      return violate(path, "must be " + type_of(field) + ", not " + std::string(describe(value.type())));
    switch (field.kind) {
      case FieldKind::id: return check_id(field, value, path);
      case FieldKind::date_time:
        if (!parse_instant(value.as_text()))
          violate(path, "must be a date and time, not " + quoted_text(value.as_text()));
        return;
      case FieldKind::enumeration: return check_enumeration(field, value, path);
      case FieldKind::object:
        if (field.shape != nullptr) check_members(*field.shape, value, path);
        return;
      case FieldKind::list: return check_items(field, value, path);
      case FieldKind::text:
      case FieldKind::integer:
      case FieldKind::number:
      case FieldKind::boolean:
      case FieldKind::uri:
      case FieldKind::duration:
      case FieldKind::cron:
      case FieldKind::any: return;
    }
  }

  static bool has_type_of(const Field& field, const Value& value) {
    if (field.kind == FieldKind::number)
      return value.type() == Value::Type::integer || value.type() == Value::Type::number;
    return value.type() == type(field);
  }

  static Value::Type type(const Field& field) {
    switch (field.kind) {
      case FieldKind::integer: return Value::Type::integer;
      case FieldKind::number: return Value::Type::number;
      case FieldKind::boolean: return Value::Type::boolean;
      case FieldKind::object: return Value::Type::object;
      case FieldKind::list: return Value::Type::list;
      case FieldKind::text:
      case FieldKind::id:
      case FieldKind::date_time:
      case FieldKind::uri:
      case FieldKind::duration:
      case FieldKind::cron:
      case FieldKind::enumeration: return Value::Type::text;
      case FieldKind::any: break;
    }
    return Value::Type::null;
  }
  static std::string type_of(const Field& field) { return std::string(describe(type(field))); }

  void check_id(const Field& field, const Value& value, const Path& path) {
    const std::string& text = value.as_text();
    if (text.empty() || std::ranges::find(field.enum_values, text) != field.enum_values.end()) return;
    const std::optional<Id> id = parse_id(text);
    if (!id) return violate(path, "must be a uuid, not " + quoted_text(text));
    if (!field.refers_to.empty()) references_.push_back({&field, *id});
  }

  void check_enumeration(const Field& field, const Value& value, const Path& path) {
    const bool is_known =
        std::ranges::any_of(field.enum_values, [&](std::string_view allowed) { return allowed == value.as_text(); });
    if (!is_known) violate(path, "is " + quoted_text(value.as_text()) + ", which is not a value of its enumeration");
  }

  void check_items(const Field& field, const Value& list, const Path& path) {
    Field item;
    item.kind = field.item;
    item.enum_values = field.enum_values;
    item.shape = field.shape;
    const std::size_t before = references_.size();
    item.refers_to = field.refers_to;
    for (std::size_t at = 0; at < list.items().size() && violations_.size() < violations_counted_max; ++at)
      check(item, list.items()[at], path.at(at));
    for (std::size_t at = before; at < references_.size(); ++at) {
      if (references_[at].field == &item) references_[at].field = &field;
    }
  }

  void violate(const Path& path, std::string reason) { violations_.push_back({path.text(), std::move(reason)}); }

  Violations& violations_;
  std::vector<StoredReference>& references_;
};

}  // namespace

void check_stored(std::span<const Field> fields, const Value& record, Violations& violations,
                  std::vector<StoredReference>& references) {
  StoredChecker(violations, references).check_members(Shape{"", fields}, record, Path());
}

}  // namespace orlop
