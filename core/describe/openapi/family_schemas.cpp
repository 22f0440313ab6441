// Schemas of a family's records in requests and responses.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "describe/openapi/operations.h"
#include "describe/openapi/schemas.h"
#include "model/metadata.h"

namespace orlop {
namespace {

constexpr Field base_fields[] = {
    uuid("id", "ID of the resource, assigned by the engine or chosen by the host at creation."),
    date_time("created_at", "Time of creation, in UTC."),
    date_time("updated_at", "Time of the last change, in UTC."),
};

// Builds an object schema member by member.
class ObjectSchema {
 public:
  void add(std::string name, Value schema, bool is_required) {
    if (is_required) required_.append(Value(name));
    properties_.set(name, std::move(schema));
  }
  Value take() && {
    Value schema = Value::object();
    schema.set("type", Value("object"));
    if (!required_.items().empty()) schema.set("required", std::move(required_));
    schema.set("properties", std::move(properties_));
    return schema;
  }

 private:
  Value required_ = Value::list();
  Value properties_ = Value::object();
};

// Reports whether an operation takes a record of the family.
bool is_requested(const Family& family) {
  return std::ranges::any_of(all_routes(),
                             [&](const Route& route) { return route.family == &family && takes_record(route); });
}

Value metadata_schema(Value schema) {
  Value text = Value::object();
  text.set("type", Value("string"));
  text.set("maxLength", Value(static_cast<std::int64_t>(metadata_value_size_max)));
  schema.set("maxProperties", Value(static_cast<std::int64_t>(metadata_entries_max)));
  schema.set("additionalProperties", std::move(text));
  return schema;
}

}  // namespace

void Schemas::add(const Family& family) {
  const std::string name(family.schema);
  ObjectSchema answer;
  ObjectSchema create;
  ObjectSchema edit;
  bool is_edit_easier = false;
  for (const Field& field : base_fields) {
    if (family.path == PathForm::single) break;  // a single is a part of its parent
    answer.add(std::string(field.name), of(field.read_only(), name, Use::answer), true);
  }
  if (family.path != PathForm::single) {
    const Value schema = metadata_schema(of(metadata_field, name, Use::answer));
    answer.add(std::string(metadata_field.name), schema, false);
    create.add(std::string(metadata_field.name), schema, false);
    edit.add(std::string(metadata_field.name), schema, false);
  }
  for (const Field& field : family.fields) {
    const std::string shown = branded(field.name, brand_);
    if (stands_in(field, Use::answer)) answer.add(shown, of(field, name, Use::answer), is_always_answered(field));
    if (field.is_read_only) continue;
    const Value schema = of(field, name, Use::request);
    create.add(shown, schema, field.is_required);
    edit.add(shown, schema, is_required_of_edit(field));
    is_edit_easier = is_edit_easier || field.is_required != is_required_of_edit(field);
  }
  Value answer_schema = std::move(answer).take();
  answer_schema.set("description", Value(family.about));
  add(name, std::move(answer_schema));
  if ((family.verbs & (Verb::create | Verb::edit)) != 0 || is_requested(family))
    add(name + "Request", std::move(create).take());
  if (is_edit_easier && (family.verbs & static_cast<std::uint8_t>(Verb::edit)) != 0) {
    add(name + "EditRequest", std::move(edit).take());
  }
}

}  // namespace orlop
