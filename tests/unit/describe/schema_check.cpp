#include "unit/describe/schema_check.h"

#include <algorithm>

#include "model/form.h"
#include "unit/describe/json.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

class Checker {
 public:
  Checker(const Value& document, Direction direction) : document_(document), direction_(direction) {}

  void check(const Value& schema, const Value& given, const std::string& path) {
    if (const Value* reference = schema.find("$ref")) {
      const Value* target = resolve(document_, reference->as_text());
      return target == nullptr ? misfit(path, "leads nowhere") : check(*target, given, path);
    }
    if (given.is_null() && schema.boolean_or("nullable", false)) return;
    if (const Value* all = schema.find("allOf")) {
      for (const Value& part : all->items()) check(part, given, path);
    }
    if (schema.has("oneOf")) return check_alternative(schema, given, path);
    check_type(schema.text_or("type", ""), given, path);
    if (const Value* enum_values = schema.find("enum")) {
      if (std::ranges::find(enum_values->items(), given) == enum_values->items().end())
        misfit(path, "is none of the words: " + to_json(given));
    }
    check_bounds(schema, given, path);
    if (given.is_object()) check_members(schema, given, path);
    if (const Value* items = schema.find("items"); items != nullptr && given.is_list()) {
      for (const Value& item : given.items()) check(*items, item, path + "[]");
    }
  }

  std::vector<std::string> found;

 private:
  void misfit(const std::string& path, const std::string& reason) { found.push_back(path + ": " + reason); }

  void check_type(std::string_view type, const Value& given, const std::string& path) {
    const Value::Type held = given.type();
    const bool fits = type.empty() || (type == "string" && held == Value::Type::text) ||
                      (type == "integer" && held == Value::Type::integer) ||
                      (type == "number" && (held == Value::Type::number || held == Value::Type::integer)) ||
                      (type == "boolean" && held == Value::Type::boolean) || (type == "array" && given.is_list()) ||
                      (type == "object" && given.is_object());
    if (!fits) misfit(path, "is no " + std::string(type) + ": " + to_json(given));
  }

  void check_bounds(const Value& schema, const Value& given, const std::string& path) {
    if (given.type() == Value::Type::integer) {
      if (given.as_integer() < schema.integer_or("minimum", INT64_MIN)) misfit(path, "is too small");
      if (given.as_integer() > schema.integer_or("maximum", INT64_MAX)) misfit(path, "is too large");
    }
    if (given.is_text() && given.as_text().size() < static_cast<std::size_t>(schema.integer_or("minLength", 0))) {
      misfit(path, "is too short");
    }
  }

  void check_members(const Value& schema, const Value& given, const std::string& path) {
    const Value* properties = schema.find("properties");
    if (properties == nullptr) return;
    for (const Member& member : given.members()) {
      const Value* property = properties->find(member.name);
      if (property == nullptr) {
        misfit(path + "." + std::string(member.name), "is not described");
      } else if (is_for_others(*property)) {
        misfit(path + "." + std::string(member.name), "should not be there");
      } else {
        check(*property, member.value, path + "." + std::string(member.name));
      }
    }
    const Value* required = schema.find("required");
    for (const Value& name : required == nullptr ? Value::List() : required->items()) {
      const Value* property = properties->find(name.as_text());
      if ((property == nullptr || !is_for_others(*property)) && given.find(name.as_text()) == nullptr)
        misfit(path + "." + name.as_text(), "is absent");
    }
  }

  void check_alternative(const Value& schema, const Value& given, const std::string& path) {
    if (!schema.has("discriminator")) return misfit(path, "has alternatives that no member tells apart");
    const Value& discriminator = *schema.find("discriminator");
    const std::string_view enum_value = given.text_or(discriminator.text_or("propertyName", ""), "");
    const std::string_view target = discriminator.find("mapping")->text_or(enum_value, "");
    const Value* alternative = resolve(document_, target);
    if (alternative == nullptr) return misfit(path, "is no alternative: " + to_json(given));
    check(*alternative, given, path);
  }

  bool is_for_others(const Value& property) const {
    return property.boolean_or(direction_ == Direction::answer ? "writeOnly" : "readOnly", false);
  }

  const Value& document_;
  Direction direction_;
};

const Value* operation_of(const Value& document, const Route& route) {
  return document.find_path({"paths", route.path, lower_case(to_string(route.operation.method))});
}

const Value* schema_in(const Value& message) { return message.find_path({"content", "application/json", "schema"}); }

std::vector<std::string> misfits(const Value& document, const Value* schema, std::string_view body,
                                 Direction direction) {
  if (schema == nullptr && body.empty()) return {};
  if (schema == nullptr) return {": no body is described: " + std::string(body)};
  if (body.empty()) return {": a body is described, and absent"};
  const auto given = parse_stored(body);
  if (!given) return {": is not JSON: " + std::string(body)};
  return misfits(document, *schema, *given, direction);
}

}  // namespace

std::vector<std::string> misfits(const Value& document, const Value& schema, const Value& given, Direction direction) {
  Checker checker(document, direction);
  checker.check(schema, given, "");
  return std::move(checker.found);
}

std::vector<std::string> misfits(const Value& document, const Route& route, const Reply& reply) {
  if (route.operation.gives != ContentType::json && reply.status < 300) return {};  // any text is valid
  const std::string status = std::to_string(reply.status);
  const Value* operation = operation_of(document, route);
  const Value* response = operation == nullptr ? nullptr : operation->find_path({"responses", status});
  if (response != nullptr && response->has("$ref")) response = resolve(document, response->text_or("$ref", ""));
  if (response == nullptr) return {": " + status + " is not described: " + reply.body};
  return misfits(document, schema_in(*response), reply.body, Direction::answer);
}

std::vector<std::string> misfits(const Value& document, const Route& route, std::string_view request_body) {
  if (route.operation.takes != ContentType::json) return {};
  const Value* operation = operation_of(document, route);
  const Value* body = operation == nullptr ? nullptr : operation->find("requestBody");
  const bool is_none = request_body.empty() || request_body == "null";
  if (body != nullptr && is_none && !body->boolean_or("required", false)) return {};
  return misfits(document, body == nullptr ? nullptr : schema_in(*body), request_body, Direction::request);
}

}  // namespace orlop
