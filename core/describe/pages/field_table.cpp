#include "describe/pages/field_table.h"

#include <algorithm>
#include <limits>

#include "base/brand.h"
#include "base/limits.h"
#include "describe/pages/markdown.h"
#include "describe/words.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string_view to_string(FieldKind kind) {
  switch (kind) {
    case FieldKind::text: return "text";
    case FieldKind::integer: return "integer";
    case FieldKind::number: return "number";
    case FieldKind::boolean: return "boolean";
    case FieldKind::id: return "uuid";
    case FieldKind::date_time: return "date and time";
    case FieldKind::uri: return "URI";
    case FieldKind::duration: return "duration";
    case FieldKind::cron: return "cron schedule";
    case FieldKind::enumeration: return "enumeration";
    case FieldKind::object: return "object";
    case FieldKind::list: return "list";
    case FieldKind::any: return "any JSON";
  }
  return "";
}

std::string default_text(const Default& absent) {
  switch (absent.type) {
    case Default::Type::none: return "";
    case Default::Type::null: return code("null");
    case Default::Type::boolean: return code(absent.flag ? "true" : "false");
    case Default::Type::integer: return code(std::to_string(absent.integer));
    case Default::Type::number: return code(to_json(Value(absent.number)));
    case Default::Type::text: return code(to_json(Value(branded(absent.text, brand_default))));
    case Default::Type::empty_list: return code("[]");
    case Default::Type::empty_object: return code("{}");
  }
  return "";
}

std::string range_text(const Field& field, std::string_view unit) {
  const bool has_minimum = field.minimum != std::numeric_limits<std::int64_t>::min();
  const bool has_maximum = field.maximum != std::numeric_limits<std::int64_t>::max();
  if (!has_minimum && !has_maximum) return "";
  if (!has_minimum) return "at most " + std::to_string(field.maximum) + std::string(unit);
  if (!has_maximum) return "at least " + std::to_string(field.minimum) + std::string(unit);
  return std::to_string(field.minimum) + " to " + std::to_string(field.maximum) + std::string(unit);
}

std::string text_range(const Field& field) {
  // The default limit of texts is on the page of settings.
  const bool is_usual = field.maximum == static_cast<std::int64_t>(text_size_max);
  if (!is_usual) return range_text(field, " bytes");
  return field.minimum == 1 ? "not empty" : "";
}

std::string allowed_text(const Field& field) {
  std::string enum_values;
  for (const std::string_view enum_value : field.enum_values)
    enum_values.append(enum_values.empty() ? "" : ", ").append(code(branded(enum_value, brand_default)));
  if (!enum_values.empty()) return enum_values;
  switch (field.kind) {
    case FieldKind::text:
    case FieldKind::uri: return text_range(field);
    case FieldKind::list: return range_text(field, " items");
    case FieldKind::integer:
    case FieldKind::number: return range_text(field, "");
    case FieldKind::boolean:
    case FieldKind::id:
    case FieldKind::date_time:
    case FieldKind::duration:
    case FieldKind::cron:
    case FieldKind::enumeration:
    case FieldKind::object:
    case FieldKind::any: return "";
  }
  return "";
}

std::string given_text(const Field& field) {
  if (field.is_read_only) return "read-only";
  return field.is_required ? "required" : "optional";
}

std::string reference_text(std::string_view family) {
  if (family == "service") return "ID of a service";
  return "ID of " + link(with_article(spaced(family)), std::string(family) + ".md");
}

// Returns the properties of the field that have no column.
std::string remarks(const Field& field, NameScope names) {
  std::vector<std::string> parts;
  if (field.is_secret) parts.emplace_back("secret");
  if (!field.refers_to.empty()) parts.push_back(reference_text(field.refers_to));
  if (field.is_unique_name && names != NameScope::none) parts.emplace_back("unique without regard to case");
  if (field.has_unique_items) parts.emplace_back("unique items");
  if (field.is_nullable) parts.emplace_back("nullable");
  if (field.is_immutable) parts.emplace_back("immutable");
  if (field.is_preserved && !field.is_immutable && !field.is_secret)
    parts.emplace_back("preserved by an edit that omits it");
  if (field.is_input_only) parts.emplace_back("write-only");
  if (field.compute != nullptr) parts.emplace_back("computed");
  if (field.is_deprecated) parts.emplace_back("deprecated");
  return join(parts, "; ");
}

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char letter : heading)
    anchor += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  return "#" + anchor;
}

std::string exactly_one_text(const Shape& shape) {
  std::vector<std::string> names;
  for (const Field& field : shape.fields) {
    if (field.is_nullable && !field.is_read_only) names.push_back(code(field.name));
  }
  return "Exactly one of " + join(names, ", ") + " is set and not null.\n\n";
}

}  // namespace

std::string FieldTables::name_of(const Shape& shape, const Field& field) {
  const auto known = std::ranges::find(shapes_, &shape, &Met::shape);
  if (known != shapes_.end()) return known->name;
  std::string name = shape.name.empty() ? camel_case(field.name) : std::string(shape.name);
  // Alternatives have separate shapes with the same name and members: one section is enough.
  if (std::ranges::find(shapes_, name, &Met::name) == shapes_.end()) shapes_.push_back({&shape, name});
  return name;
}

std::string FieldTables::type_of(const Field& field) {
  const bool is_reference =
      field.server_set == ServerSet::parent_object || field.server_set == ServerSet::organization_object;
  if (is_reference) return "object with `id`";
  const bool is_list = field.kind == FieldKind::list;
  const FieldKind kind = is_list ? field.item : field.kind;
  std::string type(to_string(kind));
  if (kind == FieldKind::object && field.shape != nullptr) {
    const std::string name = name_of(*field.shape, field);
    type = link(name, anchor_of(name));
  }
  return is_list ? "list of " + type : type;
}

std::string FieldTables::table(std::span<const Field> fields) {
  std::string text =
      table_head({"field", "type", "in requests", "default", "allowed values", "remarks", "description"});
  for (const Field& field : fields) {
    text += table_row({code(shown_name(field)), type_of(field), given_text(field), default_text(field.absent),
                       allowed_text(field), remarks(field, names_), branded(field.about, brand_default)});
  }
  return text;
}

std::string FieldTables::section(const Shape& shape, const std::string& name) {
  std::string text = "\n### " + name + "\n\n";
  if (shape.exactly_one) text += exactly_one_text(shape);
  text += table(shape.fields);
  for (const Variant& variant : shape.variants) {
    const std::string choice = code(shape.discriminator) + " is " + code(branded(variant.enum_value, brand_default));
    if (variant.fields.empty()) {
      text += "\nIf " + choice + ": no further members.\n";
    } else {
      text += "\nIf " + choice + ":\n\n" + table(variant.fields);
    }
  }
  return text;
}

std::string FieldTables::shape_sections() {
  std::string text;
  // shapes_ grows in the loop, because sections refer to further shapes.
  for (std::size_t at = 0; at < shapes_.size(); ++at) {
    const Met met = shapes_[at];
    text += section(*met.shape, met.name);
  }
  return text;
}

}  // namespace orlop
