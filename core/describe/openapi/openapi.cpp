#include "describe/openapi/openapi.h"

#include <set>
#include <utility>

#include "base/limits.h"
#include "describe/indented.h"
#include "describe/openapi/operations.h"
#include "describe/words.h"
#include "model/form.h"
#include "model/registry.h"
#include "rest/problem.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Parts that are not generated from tables. Every text is valid JSON, which a test checks.
constexpr std::string_view version = "1.0.4";

constexpr std::string_view problem_schemas = R"({
  "ReferenceObject": {
    "type": "object", "required": ["id"],
    "properties": {"id": {"type": "string", "format": "uuid", "readOnly": true, "description": "ID of the resource."}}
  },
  "Pagination": {
    "type": "object", "required": ["page", "page_size", "total_count", "total_pages"],
    "properties": {
      "page": {"type": "integer", "description": "Number of this page, from 1."},
      "page_size": {"type": "integer", "description": "Maximum number of results on a page."},
      "total_count": {"type": "integer", "description": "Number of results on all pages together."},
      "total_pages": {"type": "integer", "description": "Number of pages at this page size."}
    }
  },
  "Problem": {
    "type": "object", "required": ["status", "error", "message"],
    "properties": {
      "status": {"type": "integer", "description": "HTTP status code, the same as that of the response."},
      "error": {"type": "string", "description": "Reason phrase of the HTTP status, as in `Not Found`."},
      "message": {"type": "string", "description": "Error message in one sentence: the given value and the )"
                                             R"(allowed values."},
      "detail": {"type": "string", "description": "Copy of `message`, for clients that read this member."}
    }
  },
  "ValidationProblem": {
    "type": "object", "required": ["status", "error", "message", "violations"],
    "properties": {
      "status": {"type": "integer", "description": "HTTP status code, the same as that of the response."},
      "error": {"type": "string", "description": "Reason phrase of the HTTP status, as in `Not Found`."},
      "message": {"type": "string", "description": "First violation, and the number of further ones."},
      "detail": {"type": "string", "description": "Copy of `message`, for clients that read this member."},
      "violations": {
        "type": "array", "maxItems": 100, "description": "Violated rules: all of them, or the first 100.",
        "items": {"$ref": "#/components/schemas/Violation"}
      },
      "violations_omitted": {
        "type": "integer", "minimum": 1,
        "description": "Number of violations beyond those in `violations`. Absent: none. A value from 900 is a )"
                                             R"(lower bound."
      }
    }
  },
  "Violation": {
    "type": "object", "required": ["field", "reason"],
    "properties": {
      "field": {"type": "string", "description": "Path of the field, as in `ports[2].name`. Empty: the whole body."},
      "reason": {"type": "string", "description": "Rule that the value violates, with the allowed values."}
    }
  }
})";

constexpr std::string_view security_schemes = R"({
  "bearerAuth": {
    "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
    "description": "Token of a person, issued by the OIDC identity provider of the host: `Authorization: Bearer TOKEN`."
  },
  "ApiKeyAuth": {
    "type": "apiKey", "in": "header", "name": "Authorization",
    "description": "API token of a program: `Authorization: Token TOKEN`."
  }
})";

constexpr std::string_view answer_headers =
    R"({
  "ETag": {"description": "Identifies the stored state of the resource, for the header `If-Match` of a write. )"
    R"(Computed values, such as counts, names of other resources and states of deployments, are not part of it.",
    "schema": {"type": "string"}},
  "X-RateLimit-Limit": {"description": "Number of requests that are allowed in a window of one hour.",
    "schema": {"type": "integer"}},
  "X-RateLimit-Remaining": {"description": "Number of requests that remain in the current window.",
    "schema": {"type": "integer"}},
  "X-RateLimit-Reset": {"description": "Start of the next window, in seconds since 1970-01-01 UTC.",
    "schema": {"type": "integer"}},
  "Retry-After": {"description": "Time to wait before the next request, in seconds.", "schema": {"type": "integer"}}
})";

Value fixed(std::string_view json) {
  auto parsed = parse_stored(json);
  return parsed ? std::move(*parsed) : Value();
}

Value component_reference(std::string_view target) {
  Value value = Value::object();
  value.set("$ref", Value("#/components/" + std::string(target)));
  return value;
}

Value info() {
  Value value = Value::object();
  value.set("title", Value("Orlop"));
  value.set("version", Value(version));
  value.set("description", Value("API of a deployment platform: organizations, projects, environments, services and "
                                 "clusters. Request bodies are "
                                 "JSON of at most " +
                                 std::to_string(body_size_max) + " bytes and " + std::to_string(json_depth_max) +
                                 " levels of nesting; a string without a limit of its own has at most " +
                                 std::to_string(text_size_max) + " bytes."));
  Value license = Value::object();
  license.set("name", Value("Apache 2.0"));
  license.set("url", Value("https://www.apache.org/licenses/LICENSE-2.0"));
  value.set("license", std::move(license));
  return value;
}

Value servers() {
  Value list = Value::list();
  for (const std::string_view url : {"/", "/api/v1"}) {
    Value server = Value::object();
    server.set("url", Value(url));
    list.append(std::move(server));
  }
  return list;
}

Value security() {
  Value either = Value::list();
  for (const std::string_view scheme : {"bearerAuth", "ApiKeyAuth"}) {
    Value required = Value::object();
    required.set(scheme, Value::list());
    either.append(std::move(required));
  }
  return either;
}

Value tags() {
  std::set<std::string> used;
  for (const Route& route : all_routes()) used.insert(tag_of(route));
  Value list = Value::list();
  const auto add = [&list](const std::string& name, std::string_view about) {
    Value tag = Value::object();
    tag.set("name", Value(name));
    if (!about.empty()) tag.set("description", Value(about));
    list.append(std::move(tag));
  };
  for (const Family* family : all_families()) {
    const std::string name = nouns_of(*family);
    add(name, family->about);
    used.erase(name);
  }
  for (const std::string& name : used) add(name, "Operations that belong to no family of resources.");
  return list;
}

Value paths(Schemas& schemas) {
  Value all = Value::object();
  for (const Route& route : all_routes()) {
    Value* path = all.find(route.path);
    if (path == nullptr) path = &all.set(route.path, Value::object());
    path->set(lower_case(to_string(route.operation.method)), operation_of(route, schemas));
  }
  return all;
}

Value response(std::uint16_t status, std::string_view schema) {
  Value json = Value::object();
  json.set("schema", component_reference("schemas/" + std::string(schema)));
  Value content = Value::object();
  content.set("application/json", std::move(json));
  Value value = Value::object();
  value.set("description", Value(reason_of(status)));
  if (status == 429) {
    Value headers = Value::object();
    headers.set("Retry-After", component_reference("headers/Retry-After"));
    value.set("headers", std::move(headers));
  }
  value.set("content", std::move(content));
  return value;
}

Value responses() {
  Value all = Value::object();
  constexpr std::uint16_t refusals[] = {400, 401, 403, 404, 409, 412, 422, 429, 500, 501, 502, 504};
  for (const std::uint16_t status : refusals) {
    all.set(std::to_string(status), response(status, status == 400 ? "ValidationProblem" : "Problem"));
  }
  return all;
}

Value common_parameters(Schemas& schemas) {
  Value all = Value::object();
  for (const Field& field : page_fields()) all.set(field.name, query_parameter(field, schemas));
  for (const Field& field : name_fields()) all.set(field.name, query_parameter(field, schemas));
  for (const Field& field : write_header_fields()) all.set(field.name, header_parameter(field, schemas));
  return all;
}

}  // namespace

std::string openapi(std::string_view brand) {
  Schemas schemas(brand);
  const Value problems = fixed(problem_schemas);
  for (const Member& member : problems.members()) schemas.add(std::string(member.name), member.value);
  for (const Family* family : all_families()) schemas.add(*family);

  Value document = Value::object();
  document.set("openapi", Value("3.0.3"));
  document.set("info", info());
  document.set("servers", servers());
  document.set("security", security());
  document.set("tags", tags());
  document.set("paths", paths(schemas));
  Value components = Value::object();
  components.set("securitySchemes", fixed(security_schemes));
  components.set("headers", fixed(answer_headers));
  components.set("parameters", common_parameters(schemas));
  components.set("responses", responses());
  components.set("schemas", schemas.components());
  document.set("components", std::move(components));
  return indented_json(document);
}

}  // namespace orlop
