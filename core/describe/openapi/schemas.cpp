#include "describe/openapi/schemas.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "base/limits.h"
#include "describe/openapi/named_values.h"
#include "describe/words.h"
#include "model/form.h"
#include "model/registry.h"
#include "rest/route.h"

namespace orlop {
namespace {

Value text(std::string_view enum_values) { return Value(enum_values); }

Value typed(std::string_view type, std::string_view format = "") {
  Value schema = Value::object();
  schema.set("type", text(type));
  if (!format.empty()) schema.set("format", text(format));
  return schema;
}

void set_bounds(Value& schema, const Field& field, std::string_view minimum, std::string_view maximum) {
  const bool is_text = field.kind == FieldKind::text || field.kind == FieldKind::uri;
  // The limit of every text is stated once, in the info object of the document.
  const bool is_usual = is_text && field.maximum == static_cast<std::int64_t>(text_size_max);
  if (field.minimum != std::numeric_limits<std::int64_t>::min()) schema.set(minimum, Value(field.minimum));
  if (field.maximum != std::numeric_limits<std::int64_t>::max() && !is_usual) schema.set(maximum, Value(field.maximum));
}

std::optional<Value> default_of(const Field& field, std::string_view brand) {
  switch (field.absent.type) {
    case Default::Type::none: return std::nullopt;
    case Default::Type::null: return Value();
    case Default::Type::boolean: return Value(field.absent.flag);
    case Default::Type::integer: return Value(field.absent.integer);
    case Default::Type::number: return Value(field.absent.number);
    case Default::Type::text:
      return field.has_branded_values ? Value(branded(field.absent.text, brand)) : Value(field.absent.text);
    case Default::Type::empty_list: return Value::list();
    case Default::Type::empty_object: return Value::object();
  }
  return std::nullopt;
}

Value enum_values_of(const Field& field, bool is_nullable, std::string_view brand) {
  Value schema = typed("string");
  Value enum_values = Value::list();
  for (const std::string_view enum_value : field.enum_values) enum_values.append(Value(branded(enum_value, brand)));
  // `enum` must list null, or null is invalid even if the schema is nullable.
  if (is_nullable) enum_values.append(Value());
  schema.set("enum", std::move(enum_values));
  return schema;
}

void require(Value& schema, const std::vector<std::string>& names) {
  if (names.empty()) return;
  Value required = Value::list();
  for (const std::string& name : names) required.append(Value(name));
  schema.set("required", std::move(required));
}

std::string one_of_text(const Shape& shape, std::string_view brand) {
  std::string names;
  for (const Field& field : shape.fields) {
    if (field.is_nullable && !field.is_read_only)
      names.append(names.empty() ? "" : ", ").append(branded(field.name, brand));
  }
  return "Exactly one of " + names + " is set and not null.";
}

constexpr const char* or_null_ending = "OrNull";

// Returns a nullable copy of the schema. Alternatives also get a type: without one `nullable` has no effect.
Value or_null(const Value& schema) {
  Value made = typed("object");
  made.set("nullable", Value(true));
  for (const Member& member : schema.members()) {
    if (member.name != "type") made.set(member.name, member.value);
  }
  return made;
}

const Field* find_field(std::span<const Field> fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

// Reports whether the shape differs between answers and requests. `seen`: outer shapes, because shapes may contain
// themselves.
bool has_two_forms(const Shape& shape, std::set<const Shape*>& seen) {
  if (!seen.insert(&shape).second) return false;
  const auto is_other = [&seen](const Field& field) {
    return !stands_in(field, Use::answer) || field.is_required != is_always_answered(field) ||
           (field.shape != nullptr && has_two_forms(*field.shape, seen));
  };
  return std::ranges::any_of(shape.fields, is_other) ||
         std::ranges::any_of(shape.variants,
                             [&](const Variant& variant) { return std::ranges::any_of(variant.fields, is_other); });
}

void add_shapes(const Shape& shape, std::set<const Shape*>& shapes);

// Adds the shapes of the fields that answers contain.
void add_shapes(std::span<const Field> fields, std::set<const Shape*>& shapes) {
  for (const Field& field : fields) {
    if (field.shape != nullptr && stands_in(field, Use::answer)) add_shapes(*field.shape, shapes);
  }
}

void add_shapes(const Shape& shape, std::set<const Shape*>& shapes) {
  if (!shapes.insert(&shape).second) return;
  add_shapes(shape.fields, shapes);
  for (const Variant& variant : shape.variants) add_shapes(variant.fields, shapes);
}

}  // namespace

std::string component_name(const Value& schema) {
  const std::string_view target = schema.text_or("$ref", "");
  return std::string(target.substr(target.rfind('/') + 1));
}

std::set<const Shape*> Schemas::answered_shapes() {
  std::set<const Shape*> shapes;
  for (const Family* family : all_families()) add_shapes(family->fields, shapes);
  for (const Route& route : all_routes()) {
    if (route.operation.answer != nullptr) add_shapes(*route.operation.answer, shapes);
  }
  return shapes;
}

bool is_always_answered(const Field& field) {
  if (field.is_secret || field.is_input_only) return false;
  return field.is_required || field.is_always_present || field.absent.type != Default::Type::none ||
         field.server_set != ServerSet::none || field.compute != nullptr;
}

bool stands_in(const Field& field, Use use) {
  return use == Use::request || (!field.is_secret && !field.is_input_only);
}

bool is_required_of_edit(const Field& field) { return field.is_required && !field.is_preserved; }

Value Schemas::reference_to(std::string_view component) {
  Value reference = Value::object();
  reference.set("$ref", Value("#/components/schemas/" + std::string(component)));
  return reference;
}

Value Schemas::bare(const Field& field, std::string_view owner, Use use) {
  switch (field.kind) {
    case FieldKind::text: return field.enum_values.empty() ? typed("string") : enum_values_of(field, false, brand_);
    case FieldKind::integer: return typed("integer", "int64");
    case FieldKind::number: return typed("number", "double");
    case FieldKind::boolean: return typed("boolean");
    case FieldKind::id: return field.enum_values.empty() ? typed("string", "uuid") : typed("string");
    case FieldKind::date_time: return typed("string", "date-time");
    case FieldKind::uri: return typed("string", "uri");
    case FieldKind::duration: return typed("string", "duration");
    case FieldKind::cron: return typed("string", "cron");
    case FieldKind::enumeration: {
      const std::string_view name = field.is_nullable ? std::string_view() : enumeration_name(field.enum_values);
      if (name.empty()) return enum_values_of(field, field.is_nullable, brand_);
      add(std::string(name), enum_values_of(field, false, brand_));
      return reference_to(name);
    }
    case FieldKind::object:
      if (field.server_set == ServerSet::parent_object || field.server_set == ServerSet::organization_object)
        return reference_to("ReferenceObject");
      return field.shape == nullptr ? typed("object")
                                    : reference_of(*field.shape, std::string(owner) + camel_case(field.name), use);
    case FieldKind::list: {
      Field item;
      item.name = field.name;
      item.kind = field.item;
      item.enum_values = field.enum_values;
      item.shape = field.shape;
      Value schema = typed("array");
      schema.set("items", used(bare(item, owner, use)));
      return schema;
    }
    case FieldKind::any: return Value::object();
  }
  return Value::object();
}

Value Schemas::of(const Field& field, std::string_view owner, Use use) {
  Value schema = bare(field, owner, use);
  if (schema.has("$ref")) {
    // OpenAPI 3.0 ignores siblings of a reference.
    Value all = Value::list();
    all.append(field.is_nullable ? nullable_reference(schema) : used(std::move(schema)));
    schema = field.is_nullable ? typed("object") : Value::object();
    schema.set("allOf", std::move(all));
  }
  const bool is_list = field.kind == FieldKind::list;
  const bool is_number = field.kind == FieldKind::integer || field.kind == FieldKind::number;
  set_bounds(schema, field,
             is_number ? "minimum"
             : is_list ? "minItems"
                       : "minLength",
             is_number ? "maximum"
             : is_list ? "maxItems"
                       : "maxLength");
  if (field.has_unique_items) schema.set("uniqueItems", Value(true));
  if (!field.about.empty()) schema.set("description", Value(branded(field.about, brand_)));
  if (field.is_nullable && schema.has("type")) schema.set("nullable", Value(true));
  // Java clients pass read-only members to a constructor, which refuses an absent union.
  const bool is_union = field.shape != nullptr && !field.shape->discriminator.empty();
  if (field.is_read_only && !is_union) schema.set("readOnly", Value(true));
  if (field.is_secret || field.is_input_only) schema.set("writeOnly", Value(true));
  if (field.is_deprecated) schema.set("deprecated", Value(true));
  auto absent = default_of(field, brand_);
  // Generators do not accept an object as the default of a named type; the description has the default.
  if (absent && absent->is_object() && schema.has("allOf")) absent.reset();
  if (absent) schema.set("default", std::move(*absent));
  return schema;
}

Value Schemas::of(const Shape& shape, std::string_view owner, Use use) { return used(reference_of(shape, owner, use)); }

Value Schemas::reference_of(const Shape& shape, std::string_view owner, Use use) {
  std::set<const Shape*> seen;
  if (use == Use::request && answered_.contains(&shape) && !has_two_forms(shape, seen)) use = Use::answer;
  const auto known = names_.find({&shape, use});
  if (known != names_.end()) return reference_to(known->second);
  std::string name(shape.name.empty() ? owner : shape.name);
  if (use == Use::request && answered_.contains(&shape)) name.append("Input");
  return reference_to(component_of(shape, name, use));
}

std::string Schemas::component_of(const Shape& shape, const std::string& name, Use use) {
  std::string component = name;
  for (int number = 2;; ++number) {
    // Set before the schema is made, for shapes that contain themselves.
    names_[{&shape, use}] = component;
    Value schema = shape.discriminator.empty() ? object_of(shape, component, use) : variants_of(shape, component, use);
    const auto [place, is_new] = components_.try_emplace(component, std::move(schema));
    if (is_new || place->second == schema) return component;
    component = name + std::to_string(number);
  }
}

Value Schemas::object_of(const Shape& shape, std::string_view name, Use use) {
  Value schema = typed("object");
  std::vector<std::string> required;
  Value properties = Value::object();
  for (const Field& field : shape.fields) {
    if (!stands_in(field, use)) continue;
    const std::string shown = branded(field.name, brand_);
    if (use == Use::answer ? is_always_answered(field) : field.is_required) required.push_back(shown);
    properties.set(shown, of(field, name, use));
  }
  require(schema, required);
  if (!properties.members().empty()) schema.set("properties", std::move(properties));
  if (shape.exactly_one) schema.set("description", Value(one_of_text(shape, brand_)));
  return schema;
}

Value Schemas::variants_of(const Shape& shape, std::string_view name, Use use) {
  Value alternatives = Value::list();
  Value mapping = Value::object();
  const Field* discriminator = find_field(shape.fields, shape.discriminator);
  for (const std::string_view& enum_value :
       discriminator == nullptr ? std::span<const std::string_view>() : discriminator->enum_values) {
    std::vector<Field> fields(shape.fields.begin(), shape.fields.end());
    for (Field& field : fields) {
      if (field.name == shape.discriminator) field.enum_values = {&enum_value, 1};
    }
    for (const Variant& variant : shape.variants) {
      if (variant.enum_value == enum_value) fields.insert(fields.end(), variant.fields.begin(), variant.fields.end());
    }
    const std::string shown = branded(enum_value, brand_);
    const std::string component = std::string(name) + camel_case(lower_case(shown));
    add(component, object_of(Shape{component, fields}, component, use));
    alternatives.append(reference_to(component));
    mapping.set(shown, Value("#/components/schemas/" + component));
  }
  Value chosen = Value::object();
  chosen.set("propertyName", text(shape.discriminator));
  chosen.set("mapping", std::move(mapping));
  Value schema = Value::object();
  schema.set("oneOf", std::move(alternatives));
  schema.set("discriminator", std::move(chosen));
  return schema;
}

Value Schemas::used(Value schema) {
  if (schema.has("$ref")) used_.insert(component_name(schema));
  return schema;
}

// Refers to a nullable copy of the component: `nullable` next to the reference has no effect.
Value Schemas::nullable_reference(const Value& reference) {
  const std::string name = component_name(reference);
  nullable_.insert(name);
  return reference_to(name + or_null_ending);
}

Value Schemas::components() const {
  std::map<std::string, Value> named = components_;
  for (const std::string& name : nullable_) {
    const Value& schema = components_.at(name);
    named.insert_or_assign(name + or_null_ending, or_null(schema));
    if (!used_.contains(name)) named.erase(name);
  }
  Value all = Value::object();
  for (auto& [name, schema] : named) all.members().push_back({Name(name), std::move(schema)});
  return all;
}

}  // namespace orlop
