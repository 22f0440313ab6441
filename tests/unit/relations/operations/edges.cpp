// Operations at the edges of the interface: text parameters of paths, and writes that name no resource.
#include <string>
#include <utility>

#include "endpoints/operation_set.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::tests::edges {
namespace {

constexpr std::string_view engines[] = {"MYSQL", "REDIS"};
constexpr Field texts[] = {
    text("region", "Name of the region.").at_least(2).at_most(20),
    enumeration("engine", engines, "Engine of the database."),
};

Result<Answer> echo(Unit&, const Call& call) {
  Writer out;
  out.begin_object()
      .field("organization", call.ids[0])
      .field("region", call.texts[0])
      .field("engine", call.texts[1])
      .end_object();
  return Answer{200, std::move(out).take()};
}

// Writes without a check of permissions: a request without a subject must never get here.
Result<Answer> make_organization(Unit& unit, const Call&) {
  Value body = Value::object();
  body.set("name", Value("made by " + std::to_string(unit.draw())));
  body.set("plan", Value("FREE"));
  ORLOP_TRY(made, create_record(unit, *find_family("organization"), {}, body));
  return Answer{200, made.body};
}

// Renames the project that the query names besides the subject: a resource of another organization must not allow it.
Result<Answer> rename_elsewhere(Unit& unit, const Call& call) {
  ORLOP_TRY(project, unit.record(parse_id(call.query->find("project_id").value_or("")).value_or(Id{})));
  if (!project) return make_error(ErrorCode::not_found, "there is no such project");
  Value body = Value::object();
  body.set("name", Value("renamed"));
  ORLOP_TRY(edited, edit_record(unit, *find_family("project"), std::move(project).take(), body));
  return Answer{200, edited.body};
}

Result<Answer> repeat(Unit&, const Call& call) {
  Answer answer{200, std::string(call.text)};
  answer.type = ContentType::text;
  return answer;
}
Result<Answer> bytes(Unit&, const Call&) {
  Answer answer{200, std::string("\0\xFF", 2)};
  answer.type = ContentType::binary;
  return answer;
}

Result<Answer> nothing(Unit&, const Call&) { return Answer{204, ""}; }

constexpr Field service_query[] = {uuid("service_id", "ID of the service.").required()};
constexpr Field two_in_query[] = {uuid("project_id", "ID of the project.").required(),
                                  uuid("service_id", "ID of the service.").required()};
constexpr Operation operations[] = {
    {.method = Method::get,
     .path = "/organization/{organizationId}/testEcho/{region}/{engine}",
     .name = "echo_test",
     .handle = echo,
     .form = AnswerForm::none,
     .summary = "Echo two texts",
     .path_texts = texts},
    {.method = Method::post,
     .path = "/testOrphan",
     .name = "orphan_test",
     .access = Access::write,
     .handle = make_organization,
     .summary = "Write without a subject"},
    {.method = Method::post,
     .path = "/testOpen",
     .name = "open_test",
     .status = 204,
     .access = Access::write,
     .handle = nothing,
     .summary = "Write about no resource",
     .has_no_subject = true},
    {.method = Method::post,
     .path = "/testQuery",
     .name = "query_test",
     .access = Access::write,
     .handle = make_organization,
     .query = service_query,
     .summary = "Write about a service in the query"},
    {.method = Method::post,
     .path = "/testElsewhere",
     .name = "elsewhere_test",
     .access = Access::write,
     .handle = rename_elsewhere,
     .query = two_in_query,
     .summary = "Write beside a service in the query"},
    {.method = Method::patch,
     .path = "/organization/{organizationId}/testDocument",
     .name = "patch_test",
     .access = Access::write,
     .handle = repeat,
     .is_body_required = true,
     .summary = "Repeat a document",
     .takes = ContentType::yaml,
     .gives = ContentType::text},
    {.method = Method::get,
     .path = "/organization/{organizationId}/testDocument",
     .name = "read_bytes_test",
     .handle = bytes,
     .summary = "Read two bytes",
     .gives = ContentType::binary},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {.operations = operations};

}  // namespace orlop::operation_sets::tests::edges
