#include "describe/languages/python_types.h"

#include <algorithm>

#include "describe/words.h"
#include "model/registry.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string literal_of(std::span<const std::string_view> enum_values) {
  std::string text = "Literal[";
  for (const std::string_view enum_value : enum_values) {
    if (text.back() != '[') text += ", ";
    append_quoted(text, enum_value);
  }
  return text + "]";
}

// Reports whether the class of a family has this name.
bool is_taken(std::string_view name) {
  return std::ranges::any_of(all_families(), [name](const Family* family) { return family->schema == name; });
}

PythonMember* find_member(std::vector<PythonMember>& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &PythonMember::name);
  return found == members.end() ? nullptr : &*found;
}

}  // namespace

std::string PythonTypes::type_of(const Field& field, std::string_view owner) {
  const std::string type = plain_type_of(field, owner);
  return field.is_nullable && type != "Any" ? type + " | None" : type;
}

std::string PythonTypes::plain_type_of(const Field& field, std::string_view owner) {
  if (field.server_set == ServerSet::parent_object || field.server_set == ServerSet::organization_object)
    return "Reference";
  switch (field.kind) {
    case FieldKind::text:
    case FieldKind::id:
    case FieldKind::date_time:
    case FieldKind::uri:
    case FieldKind::duration:
    case FieldKind::cron: return "str";
    case FieldKind::integer: return "int";
    case FieldKind::number: return "float";
    case FieldKind::boolean: return "bool";
    case FieldKind::enumeration:
      // Values with the brand differ between engines.
      return field.has_branded_values ? "str" : literal_of(field.enum_values);
    case FieldKind::object: return object_type_of(field, owner);
    case FieldKind::list: return "list[" + item_type_of(field, owner) + "]";
    case FieldKind::any: return "Any";
  }
  return "Any";
}

std::string PythonTypes::item_type_of(const Field& field, std::string_view owner) {
  if (field.item == FieldKind::list) return "list[Any]";
  Field item = field;
  item.kind = field.item;
  item.server_set = ServerSet::none;
  return plain_type_of(item, owner);
}

std::string PythonTypes::object_type_of(const Field& field, std::string_view owner) {
  if (field.shape == nullptr) return "dict[str, Any]";
  const std::string_view given = field.shape->name;
  std::string name = given.empty() ? std::string(owner) + camel_case(field.name) : std::string(given);
  if (is_taken(name)) name += "Shape";
  return class_of(*field.shape, name);
}

std::string PythonTypes::class_of(const Shape& shape, const std::string& name) {
  if (std::ranges::find(shapes_, name, &PythonShape::name) != shapes_.end()) return name;
  const std::size_t place = shapes_.size();
  shapes_.push_back({name, {}});
  // A shape may contain itself, and its inner shapes are added while its members are read.
  std::vector<PythonMember> members = members_of(shape, name);
  shapes_[place].members = std::move(members);
  return name;
}

std::vector<PythonMember> PythonTypes::members_of(const Shape& shape, std::string_view name) {
  std::vector<PythonMember> members;
  for (const Field& field : shape.fields)
    members.push_back({shown_name(field), type_of(field, name), field.is_required});
  for (const Variant& variant : shape.variants) {
    for (const Field& field : variant.fields) {
      std::string type = type_of(field, name);
      PythonMember* known = find_member(members, shown_name(field));
      if (known == nullptr) {
        members.push_back({shown_name(field), std::move(type), false});
      } else if (known->type != type) {
        known->type = "Any";
      }
    }
  }
  return members;
}

}  // namespace orlop
