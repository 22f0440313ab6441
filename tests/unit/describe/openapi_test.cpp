// The interface's description: complete, without unused or missing parts, and consistent with the routes.
#include "describe/openapi/openapi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/brand.h"
#include "model/form.h"
#include "rest/route.h"
#include "unit/describe/json.h"
#include "wire/json.h"

namespace orlop {
namespace {

const Value& document() {
  static const Value parsed = [] {
    auto value = parse_stored(openapi(brand_default));
    return value ? std::move(*value) : Value();
  }();
  return parsed;
}

std::vector<std::string> loose_ends(const Value& value) {
  std::vector<std::string> references;
  collect_references(value, references);
  std::erase_if(references, [&value](const std::string& reference) { return resolve(value, reference) != nullptr; });
  return references;
}

const Value* operation_at(const Route& route) {
  return document().find_path({"paths", route.path, lower_case(to_string(route.operation.method))});
}

bool takes_parameter(const Value& operation, std::string_view in, std::string_view name) {
  const Value* parameters = operation.find("parameters");
  if (parameters == nullptr) return false;
  return std::ranges::any_of(parameters->items(), [&](const Value& parameter) {
    const Value* target = parameter.has("$ref") ? resolve(document(), parameter.text_or("$ref", "")) : &parameter;
    return target != nullptr && target->text_or("in", "") == in && target->text_or("name", "") == name;
  });
}

TEST(OpenApi, is_json_of_the_right_version) {
  ASSERT_TRUE(document().is_object());
  EXPECT_EQ(document().text_or("openapi", ""), "3.0.3");
  EXPECT_EQ(document().find_path({"info", "version"})->as_text(), "1.0.4");
  EXPECT_EQ(document().find_path({"components", "securitySchemes", "bearerAuth", "scheme"})->as_text(), "bearer");
  EXPECT_EQ(document().find_path({"components", "securitySchemes", "ApiKeyAuth", "name"})->as_text(), "Authorization");
}

TEST(OpenApi, has_no_reference_that_leads_nowhere) {
  EXPECT_EQ(loose_ends(document()), std::vector<std::string>());
  const auto planted = parse_json(R"({"a": {"$ref": "#/b/c"}, "mapping": {"x": "#/a"}, "d": [{"$ref": "#/d"}]})");
  EXPECT_EQ(loose_ends(*planted), std::vector<std::string>({"#/b/c"}));
}

TEST(OpenApi, describes_every_route_and_no_other) {
  std::size_t described = 0;
  for (const Member& path : document().find("paths")->members()) described += path.value.members().size();
  EXPECT_EQ(described, all_routes().size());
  std::set<std::string> names;
  for (const Route& route : all_routes()) {
    const Value* operation = operation_at(route);
    ASSERT_NE(operation, nullptr) << route.path;
    EXPECT_EQ(operation->text_or("operationId", ""), route.name);
    EXPECT_TRUE(names.insert(route.name).second) << route.name;
    EXPECT_NE(operation->find_path({"responses", std::to_string(route.operation.status)}), nullptr) << route.name;
    EXPECT_NE(operation->text_or("summary", ""), "") << route.name;
  }
}

TEST(OpenApi, names_every_parameter) {
  for (const Route& route : all_routes()) {
    const Value* operation = operation_at(route);
    for (const std::string& name : route.parameters)
      EXPECT_TRUE(takes_parameter(*operation, "path", name)) << route.name;
    for (const Field& field : route.operation.query)
      EXPECT_TRUE(takes_parameter(*operation, "query", field.name)) << route.name;
    const bool is_list =
        route.verb == Verb::list || route.name == "list_variables" || route.name == "list_database_applications";
    EXPECT_EQ(takes_parameter(*operation, "query", "page_size"), is_list) << route.name;
    const bool takes_body = route.operation.body != nullptr || route.operation.is_body_required;
    EXPECT_EQ(operation->has("requestBody"), takes_body) << route.name;
  }
}

TEST(OpenApi, keeps_requests_and_answers_apart) {
  const Value* answer = resolve(document(), "#/components/schemas/ContainerRegistry");
  const Value* request = resolve(document(), "#/components/schemas/ContainerRegistryRequest");
  ASSERT_NE(answer, nullptr);
  ASSERT_NE(request, nullptr);
  EXPECT_NE(answer->find_path({"properties", "associated_services_count"}), nullptr);
  EXPECT_EQ(request->find_path({"properties", "associated_services_count"}), nullptr);
  EXPECT_EQ(request->find_path({"properties", "id"}), nullptr);
  EXPECT_EQ(resolve(document(), "#/components/schemas/ContainerRegistryConfig/properties/password"), nullptr);
  const Value* password = resolve(document(), "#/components/schemas/ContainerRegistryConfigInput/properties/password");
  ASSERT_NE(password, nullptr);
  EXPECT_TRUE(password->boolean_or("writeOnly", false));
}

TEST(OpenApi, states_bounds_words_and_defaults) {
  const Value* properties = resolve(document(), "#/components/schemas/ClusterRequest/properties");
  ASSERT_NE(properties, nullptr);
  EXPECT_EQ(properties->find("disk_iops")->integer_or("minimum", 0), 3000);
  EXPECT_EQ(properties->find("disk_iops")->integer_or("maximum", 0), 16000);
  EXPECT_EQ(properties->find("disk_size")->integer_or("default", 0), 20);
  EXPECT_EQ(properties->find_path({"kubernetes", "enum"})->items().size(), 3U);
  EXPECT_EQ(properties->find("name")->integer_or("minLength", 0), 1);
}

TEST(OpenApi, discriminates_alternatives_by_a_member) {
  const Value* value = resolve(document(), "#/components/schemas/ClusterFeatureValueOrNull");
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->find_path({"discriminator", "propertyName"})->as_text(), "type");
  EXPECT_EQ(value->find("oneOf")->items().size(), 6U);
  const Value* kind = resolve(document(), "#/components/schemas/ClusterFeatureValueBoolean/properties/type/enum");
  ASSERT_NE(kind, nullptr);
  EXPECT_EQ(kind->items(), Value::List{Value("BOOLEAN")});
}

// Collects constructs that code generators do not support, as paths in the document.
void collect_stumbles(const Value& value, const std::string& path, std::vector<std::string>& found) {
  const Value* choices = value.find("oneOf");
  for (const Value& choice : choices == nullptr ? Value::List() : choices->items()) {
    if (choice.has("enum")) found.push_back(path + " has an enumeration among its forms");
  }
  const Value* absent = value.find("default");
  if (absent != nullptr && absent->is_object() && (value.has("allOf") || value.has("$ref")))
    found.push_back(path + " has a default beside a reference");
  const Value* items = value.find("items");
  if (items != nullptr && items->has("enum")) found.push_back(path + " has items of an enumeration without a name");
  for (const Member& member : value.is_object() ? value.members() : Value::Object())
    collect_stumbles(member.value, path + "/" + std::string(member.name.view()), found);
  for (const Value& item : value.is_list() ? value.items() : Value::List()) collect_stumbles(item, path + "[]", found);
}

TEST(OpenApi, has_nothing_that_generators_of_clients_stumble_over) {
  std::vector<std::string> found;
  collect_stumbles(document(), "", found);
  const Value* schemas = document().find_path({"components", "schemas"});
  for (const Member& schema : schemas->members()) {
    if (schema.name.view().starts_with("Nullable"))
      found.push_back(std::string(schema.name.view()) + " is named as a form of another schema");
    const Value* plain = schema.name.view().ends_with("OrNull")
                             ? schemas->find(schema.name.view().substr(0, schema.name.view().size() - 6))
                             : nullptr;
    Value same = schema.value;
    same.erase("nullable");
    if (plain != nullptr && !plain->has("type")) same.erase("type");
    if (plain != nullptr && same != *plain)
      found.push_back(std::string(schema.name.view()) + " is not the other one with nullable");
  }
  EXPECT_EQ(found, std::vector<std::string>());
  const auto planted = parse_json(
      R"({"a": {"oneOf": [{"$ref": "#/a"}, {"enum": [null]}]}, "b": {"allOf": [{"$ref": "#/a"}], "default": {}}, )"
      R"("c": {"items": {"enum": ["A"]}}})");
  found.clear();
  collect_stumbles(*planted, "", found);
  EXPECT_EQ(found.size(), 3U);
}

// Clients in Java pass read-only members to a constructor, which refuses an absent union.
TEST(OpenApi, has_no_union_that_is_read_only) {
  int unions = 0;
  for (const Member& schema : document().find_path({"components", "schemas"})->members()) {
    const Value* properties = schema.value.find("properties");
    for (const Member& property : properties == nullptr ? Value::Object() : properties->members()) {
      const Value* all = property.value.find("allOf");
      const Value* target = all == nullptr ? nullptr : resolve(document(), all->items().front().text_or("$ref", ""));
      if (target == nullptr || !target->has("oneOf")) continue;
      ++unions;
      EXPECT_FALSE(property.value.boolean_or("readOnly", false)) << schema.name.view() << "." << property.name.view();
    }
  }
  EXPECT_GE(unions, 5);
}

TEST(OpenApi, describes_every_operation) {
  for (const Member& path : document().find("paths")->members()) {
    for (const Member& operation : path.value.members()) {
      EXPECT_GE(operation.value.text_or("description", "").size(), 20U)
          << operation.value.text_or("operationId", "") << " needs `.about` in the file of its operation set";
      EXPECT_NE(operation.value.text_or("description", ""), operation.value.text_or("summary", ""))
          << operation.value.text_or("operationId", "");
    }
  }
}

// Collects names and values that clients send or read, as paths in the document; without texts for people, paths,
// operation ids and names of components.
void collect_names(const Value& value, const std::string& path, std::vector<std::string>& names) {
  const bool holds_names = path.ends_with("/properties") || path.ends_with("/mapping") || path.ends_with("/headers");
  for (const Member& member : value.is_object() ? value.members() : Value::Object()) {
    const std::string below = path + "/" + std::string(member.name.view());
    if (holds_names) names.push_back(below);
    const bool is_shown =
        member.name.view() == "default" || member.name.view() == "name" || member.name.view() == "pattern";
    if (is_shown && member.value.is_text()) names.push_back(below + "=" + member.value.as_text());
    collect_names(member.value, below, names);
  }
  const bool holds_values = path.ends_with("/enum") || path.ends_with("/required") || path.ends_with("/tags");
  for (const Value& item : value.is_list() ? value.items() : Value::List()) {
    if (holds_values && item.is_text()) names.push_back(path + "=" + item.as_text());
    collect_names(item, path + "[]", names);
  }
}

// Returns the last parts of the names that contain the word, in any case.
std::vector<std::string> named_by(std::string_view word, const Value& document) {
  std::vector<std::string> names;
  collect_names(*document.find("paths"), "", names);
  collect_names(*document.find("components"), "", names);
  collect_names(*document.find("tags"), "/tags", names);
  std::erase_if(names, [word](const std::string& name) {
    return lower_case(std::string_view(name).substr(name.find_last_of("/=") + 1)).find(word) == std::string::npos;
  });
  return names;
}

TEST(OpenApi, carries_the_hosts_brand) {
  EXPECT_EQ(named_by("platform", *parse_stored(openapi("harbour"))), std::vector<std::string>());
  const Value ours = document();
  EXPECT_GE(named_by("platform", ours).size(), 20U);
  const auto planted = parse_json(
      R"({"paths": {"/a": {"get": {"parameters": [{"name": "x", "schema": {"enum": ["A_PLATFORM"], "default": "a"})"
      R"(}]}}}, "tags": [],
                                      "components": {"schemas": {"A": {"required": ["platform_a"], "properties": )"
      R"({"platform_a": {}}}}}})");
  EXPECT_EQ(named_by("platform", *planted).size(), 3U);
}

TEST(OpenApi, has_the_hosts_brand_in_texts_about_branded_values) {
  const std::string text = openapi("harbour");
  EXPECT_NE(text.find("`HARBOUR_PROFILE`"), std::string::npos);
  EXPECT_EQ(text.find("{BRAND}"), std::string::npos);
  EXPECT_EQ(text.find("{brand}"), std::string::npos);
}

TEST(OpenApi, is_the_same_each_time) { EXPECT_EQ(openapi("platform"), openapi("platform")); }

}  // namespace
}  // namespace orlop
