#include "describe/openapi/operations.h"

#include <algorithm>
#include <utility>

#include "base/brand.h"
#include "base/limits.h"
#include "describe/openapi/link_objects.h"
#include "describe/words.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "rest/idempotency.h"
#include "rest/problem.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

constexpr Field pages[] = {
    integer("page", "Number of the page to return, from 1. Default: 1, if `page_size` is given.").at_least(1),
    integer("page_size",
            "Maximum number of results on a page, 1 to 1000. Default: 100. Without `page` and `page_size`, all results "
            "are returned.")
        .at_least(1)
        .at_most(page_size_max),
};

constexpr Field names[] = {
    text("name",
         "Only the resource that has this name, compared as where names are unique. None has it: an empty list."),
};

constexpr Field write_headers[] = {
    text("If-Match",
         "ETags of the last resource that the path names, separated by commas, or `*` for any. If the resource has "
         "another ETag, the request changes nothing and is answered with 412."),
    text("Idempotency-Key",
         "A key of the caller's choice for this request, such as a UUID. A repetition with the same key, method, path "
         "and body within 24 hours changes nothing and gets the "
         "answer of the first success, with the header `Idempotency-Replayed`. Another request with the key is "
         "answered with 422.")
        .at_least(1)
        .at_most(idempotency_key_size_max),
};

Value reference(std::string_view kind, std::string_view name) {
  Value value = Value::object();
  value.set("$ref", Value("#/components/" + std::string(kind) + "/" + std::string(name)));
  return value;
}

Value parameter(std::string_view in, const Field& field, Schemas& schemas, bool is_required) {
  Field bare = field;
  bare.about = {};
  Value value = Value::object();
  value.set("name", Value(field.name));
  value.set("in", Value(in));
  if (is_required) value.set("required", Value(true));
  if (!field.about.empty()) value.set("description", Value(branded(field.about, schemas.brand())));
  value.set("schema", schemas.of(bare, field.name, Use::request));
  return value;
}

bool is_paged(const Route& route) {
  return route.operation.method == Method::get && route.operation.form == AnswerForm::record_list;
}

// Reports whether the route lists records that can be found by name.
bool is_list_by_name(const Route& route) {
  const bool has_own =
      std::ranges::find(route.operation.query, names[0].name, &Field::name) != route.operation.query.end();
  return route.verb == Verb::list && route.operation.form == AnswerForm::record_list &&
         is_found_by_name(*route.family) && !has_own;
}

}  // namespace

std::span<const Field> page_fields() { return pages; }

std::span<const Field> name_fields() { return names; }

std::span<const Field> write_header_fields() { return write_headers; }

Value header_parameter(const Field& field, Schemas& schemas) { return parameter("header", field, schemas, false); }

Value query_parameter(const Field& field, Schemas& schemas) {
  return parameter("query", field, schemas, field.is_required);
}

namespace {

Value parameters_of(const Route& route, Schemas& schemas) {
  Value parameters = Value::list();
  for (std::size_t at = 0; at < route.parameters.size(); ++at) {
    const Field* described = route.texts[at];
    parameters.append(
        parameter("path", described != nullptr ? *described : uuid(route.parameters[at], ""), schemas, true));
  }
  for (const Field& field : route.operation.query) parameters.append(query_parameter(field, schemas));
  if (is_paged(route)) {
    for (const Field& field : page_fields()) parameters.append(reference("parameters", field.name));
  }
  if (is_list_by_name(route)) {
    for (const Field& field : name_fields()) parameters.append(reference("parameters", field.name));
  }
  if (route.operation.access == Access::write) {
    for (const Field& field : write_header_fields()) parameters.append(reference("parameters", field.name));
  }
  return parameters;
}

Value content_of(Value schema, ContentType type = ContentType::json) {
  Value media = Value::object();
  media.set("schema", std::move(schema));
  Value content = Value::object();
  content.set(media_type(type), std::move(media));
  return content;
}

// Returns the schema of a body that is not JSON.
Value text_schema(ContentType type) {
  Value schema = Value::object();
  schema.set("type", Value("string"));
  if (type == ContentType::binary) schema.set("format", Value("binary"));
  return schema;
}

// Returns the component of the request of a plain verb.
std::string request_of(const Route& route) {
  const Family& family = *route.family;
  bool is_easier = false;
  for (const Field& field : family.fields) is_easier = is_easier || field.is_required != is_required_of_edit(field);
  const bool is_edit = route.verb == Verb::edit && is_easier;
  return std::string(family.schema) + (is_edit ? "EditRequest" : "Request");
}

bool takes_body(const Operation& operation) {
  return operation.takes != ContentType::json || operation.body != nullptr || operation.is_body_required;
}

Value body_of(const Route& route, Schemas& schemas) {
  const Operation& operation = route.operation;
  Value schema = Value::object();
  if (operation.takes != ContentType::json) {
    schema = text_schema(operation.takes);
  } else if (operation.body != nullptr) {
    schema = schemas.of(*operation.body, camel_case(route.name) + "Request", Use::request);
  } else if (route.verb || takes_record(route)) {
    schema = Schemas::reference_to(request_of(route));
  } else {
    schema.set("type", Value("object"));
  }
  Value body = Value::object();
  if (operation.is_body_required) body.set("required", Value(true));
  else if (operation.takes == ContentType::json) body.set("description", Value("Optional: `null` counts as no body."));
  body.set("content", content_of(std::move(schema), operation.takes));
  return body;
}

std::string_view list_ending(AnswerForm form) {
  if (form == AnswerForm::record_list) return "ResponseList";
  const bool is_page = form == AnswerForm::shape_page || form == AnswerForm::record_page;
  return is_page ? "PaginatedResponseList" : "List";
}

// Inlines arrays: as a component an array would have the name of a list.
Value array_of(Value item) {
  Value array = Value::object();
  array.set("type", Value("array"));
  array.set("items", std::move(item));
  return array;
}

// Adds lists as components, so that generators name them.
Value list_of(AnswerForm form, Value item, const std::string& item_name, Schemas& schemas) {
  Value properties = Value::object();
  Value required = Value::list();
  if (form == AnswerForm::shape_page || form == AnswerForm::record_page) {
    for (const std::string_view name : {"page", "page_size"}) {
      Value number = Value::object();
      number.set("type", Value("integer"));
      properties.set(name, std::move(number));
      required.append(Value(name));
    }
  }
  properties.set("results", array_of(std::move(item)));
  required.append(Value("results"));
  if (form == AnswerForm::record_list) properties.set("pagination", Schemas::reference_to("Pagination"));
  Value schema = Value::object();
  schema.set("type", Value("object"));
  schema.set("required", std::move(required));
  schema.set("properties", std::move(properties));

  const std::string name = std::string(item_name).append(list_ending(form));
  schemas.add(name, std::move(schema));
  return Schemas::reference_to(name);
}

Value answer_schema(const Route& route, Schemas& schemas) {
  const Operation& operation = route.operation;
  const bool is_record = operation.form == AnswerForm::record || operation.form == AnswerForm::record_list ||
                         operation.form == AnswerForm::record_page;
  Value one = is_record ? Schemas::reference_to(route.family->schema)
                        : schemas.of(*operation.answer, camel_case(route.name), Use::answer);
  if (operation.form == AnswerForm::record || operation.form == AnswerForm::shape) return one;
  if (operation.form == AnswerForm::shape_array) return array_of(std::move(one));
  const std::string name = component_name(one);
  return list_of(operation.form, std::move(one), name, schemas);
}

// Reports whether the answer is one stored record and therefore has an ETag.
bool has_etag(const Route& route) {
  return route.verb && route.verb != Verb::list && route.verb != Verb::remove &&
         route.operation.form == AnswerForm::record;
}

Value success_of(std::uint16_t status, bool has_etag = false) {
  Value answer = Value::object();
  answer.set("description", Value(reason_of(status)));
  Value headers = Value::object();
  for (const std::string_view name : {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}) {
    headers.set(name, reference("headers", name));
  }
  if (has_etag) headers.set("ETag", reference("headers", "ETag"));
  answer.set("headers", std::move(headers));
  return answer;
}

Value responses_of(const Route& route, Schemas& schemas) {
  Value responses = Value::object();
  const Operation& operation = route.operation;
  Value& answer = responses.set(std::to_string(operation.status), success_of(operation.status, has_etag(route)));
  if (operation.gives != ContentType::json)
    answer.set("content", content_of(text_schema(operation.gives), operation.gives));
  else if (operation.form != AnswerForm::none) answer.set("content", content_of(answer_schema(route, schemas)));
  if (operation.also_gives) {
    Value content = *answer.find("content");
    const Value second = content_of(text_schema(*operation.also_gives), *operation.also_gives);
    content.set(media_type(*operation.also_gives), second.members().front().value);
    answer.set("content", std::move(content));
  }
  if (operation.is_public) {
    responses.set("500", reference("responses", "500"));
    return responses;
  }
  if (route.verb == Verb::create) {
    if (Value links = links_of(route); !links.members().empty()) answer.set("links", std::move(links));
  }
  if (operation.status_of_nothing != 0) {
    responses.set(std::to_string(operation.status_of_nothing), success_of(operation.status_of_nothing));
  }
  const bool is_write = operation.access == Access::write;
  const bool is_checked =
      is_write || takes_body(operation) || !operation.query.empty() || !route.parameters.empty() || is_paged(route);
  if (is_checked) responses.set("400", reference("responses", "400"));
  responses.set("401", reference("responses", "401"));
  responses.set("403", reference("responses", "403"));
  const bool names_parent_in_body =
      route.verb == Verb::create && route.parent == nullptr && !route.family->parent_field.body.empty();
  const bool names_records =
      !route.parameters.empty() || !operation.query.empty() || operation.has_no_subject || names_parent_in_body;
  if (names_records) responses.set("404", reference("responses", "404"));
  if (is_write) {
    for (const std::string_view status : {"409", "412", "422"}) responses.set(status, reference("responses", status));
  }
  responses.set("429", reference("responses", "429"));
  responses.set("500", reference("responses", "500"));
  if (needs_external(operation)) responses.set("501", reference("responses", "501"));
  // For every operation, because external systems authenticate callers and admit changes.
  responses.set("502", reference("responses", "502"));
  responses.set("504", reference("responses", "504"));
  return responses;
}

}  // namespace

bool takes_record(const Route& route) {
  const Operation& operation = route.operation;
  return route.family != nullptr && operation.takes == ContentType::json && operation.body == nullptr &&
         operation.is_body_required;
}

std::string tag_of(const Route& route) {
  if (route.family != nullptr) return nouns_of(*route.family);
  const std::string_view segment = std::string_view(route.path).substr(1, route.path.find('/', 1) - 1);
  for (const Family* family : all_families()) {
    if (family->segment == segment) return nouns_of(*family);
  }
  return "general";
}

Value operation_of(const Route& route, Schemas& schemas) {
  Value operation = Value::object();
  operation.set("operationId", Value(route.name));
  Value tags = Value::list();
  tags.append(Value(tag_of(route)));
  operation.set("tags", std::move(tags));
  operation.set("summary", Value(summary_of(route)));
  if (std::string about = description_of(route); !about.empty())
    operation.set("description", Value(branded(about, schemas.brand())));
  if (route.operation.is_public) operation.set("security", Value::list());
  Value parameters = parameters_of(route, schemas);
  if (!parameters.items().empty()) operation.set("parameters", std::move(parameters));
  if (takes_body(route.operation)) operation.set("requestBody", body_of(route, schemas));
  operation.set("responses", responses_of(route, schemas));
  return operation;
}

}  // namespace orlop
