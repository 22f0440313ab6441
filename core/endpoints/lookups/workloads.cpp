// Workloads of a service, and the check of its custom domains. External systems answer.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/service_host.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::workloads {
namespace {

Result<Value> workload_input(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  return Value(Value::Object{{"organization_id", Value(to_text(subject.record.organization))},
                             {"environment_id", Value(to_text(subject.record.parent))},
                             {"service_id", Value(to_text(subject.record.id))},
                             {"family", Value(call.family->name)},
                             {"name", Value(name_of(subject.record))}});
}

Result<Answer> ask_about(Unit& unit, const Call& call, Question question) {
  ORLOP_TRY(input, workload_input(unit, call));
  return ask_later(unit, {.question = question, .input = std::move(input)});
}

Result<Answer> list_kubernetes_services(Unit& unit, const Call& call) {
  return ask_about(unit, call, Question::list_kubernetes_services);
}
Result<Answer> list_resources(Unit& unit, const Call& call) {
  return ask_about(unit, call, Question::list_terraform_resources);
}
Result<Answer> read_manifest(Unit& unit, const Call& call) { return ask_about(unit, call, Question::read_manifest); }

// Without domains no question is asked.
Result<Answer> check_domains(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  RecordRange range;
  range.key = subject.record.id;
  range.family = find_family("custom_domain")->number;
  ORLOP_TRY(records, unit.records(range));
  if (records.empty()) return make_list_answer(Value::list());
  ORLOP_TRY(host, public_host_of(unit, subject.record));
  Value domains = Value::list();
  for (const Record& record : records) {
    ORLOP_TRY(domain, parse_stored(record.body));
    domains.append(Value(Value::Object{{"domain", Value(domain.text_or("domain", ""))},
                                       {"validation_domain", Value(host)},
                                       {"use_cdn", Value(domain.boolean_or("use_cdn", false))}}));
  }
  Value input(Value::Object{{"organization_id", Value(to_text(subject.record.organization))},
                            {"service_id", Value(to_text(subject.record.id))},
                            {"domains", std::move(domains)}});
  return ask_later(unit, {.question = Question::check_domains, .input = std::move(input)});
}

Value failed_jobs_input(const Record& environment, Value jobs) {
  return Value(Value::Object{{"organization_id", Value(to_text(environment.organization))},
                             {"environment_id", Value(to_text(environment.id))},
                             {"job_ids", std::move(jobs)}});
}

Answer cleaned_answer(const Value* jobs, const Value& cleaned) {
  Writer out;
  out.begin_object();
  if (jobs != nullptr) out.field("clean_job_ids", *jobs);
  out.field("clean_kubernetes_jobs", cleaned).end_object();
  return {200, std::move(out).take()};
}

Result<Answer> clean_job(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(environment, require(unit, *find_family("environment"), subject.record.parent));
  return ask_later(unit,
                   {.question = Question::clean_failed_jobs,
                    .input = failed_jobs_input(environment, Value(Value::List{Value(to_text(subject.record.id))})),
                    .reply = [](const Value& cleaned) { return Result<Answer>(cleaned_answer(nullptr, cleaned)); }});
}

// Returns the jobs in the body, which must be in the environment; without any, all jobs of the environment.
Result<Value> jobs_asked_for(Unit& unit, const Call& call, const Id& environment) {
  const Value* named = call.body == nullptr ? nullptr : call.body->find("job_ids");
  Value jobs = Value::list();
  RecordRange range;
  range.key = environment;
  range.family = call.family->number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(records, unit.records(range));
  for (const Record& record : records) jobs.append(Value(to_text(record.id)));
  if (named == nullptr || !named->is_list()) return jobs;
  for (const Value& id : named->items()) {
    const auto& known = jobs.items();
    if (std::ranges::find(known, id) == known.end())
      return invalid_field("job_ids", "must name jobs of the environment; " + id.as_text() + " is none");
  }
  return *named;
}

Result<Answer> clean_jobs(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(jobs, jobs_asked_for(unit, call, environment.id));
  return ask_later(unit,
                   {.question = Question::clean_failed_jobs,
                    .input = failed_jobs_input(environment, jobs),
                    .reply = [jobs](const Value& cleaned) { return Result<Answer>(cleaned_answer(&jobs, cleaned)); }});
}

constexpr Field cleaned_field =
    list_of("clean_kubernetes_jobs", FieldKind::text, "Names of the Kubernetes jobs that were deleted.").required();
constexpr Field cleaned_fields[] = {cleaned_field};
constexpr Shape cleaned_job = {.name = "CleanedFailedJob", .fields = cleaned_fields};
constexpr Field cleaned_jobs_fields[] = {
    list_of("clean_job_ids", FieldKind::id, "IDs of the jobs whose failed runs were deleted.").required(),
    cleaned_field};
constexpr Shape cleaned_jobs = {.name = "CleanedFailedJobs", .fields = cleaned_jobs_fields};
constexpr Field jobs_fields[] = {
    list_of("job_ids", FieldKind::id,
            "IDs of jobs of the environment, at most 1000. Absent: all jobs of the environment.")
        .at_most(1000)};
constexpr Shape jobs_to_clean = {.name = "CleanFailedJobsRequest", .fields = jobs_fields};

constexpr auto with_domains =
    static_cast<std::uint8_t>(static_cast<int>(ServiceKind::application) | static_cast<int>(ServiceKind::container) |
                              static_cast<int>(ServiceKind::helm));
constexpr auto job = static_cast<std::uint8_t>(ServiceKind::job);

constexpr KindOperation operations[] = {
    {with_domains,
     {.path = "{flat}/checkCustomDomain",
      .name = "check_{family}_custom_domain",
      .handle = check_domains,
      .form = AnswerForm::shape_list,
      .answer = &question_shapes::checked_domain,
      .summary = "Check the DNS records of the custom domains of {one}",
      .about = "Returns an empty list for a service without custom domains.",
      .asks = Question::check_domains}},
    {static_cast<std::uint8_t>(ServiceKind::helm),
     {.path = "{flat}/listServices",
      .name = "list_{family}_kubernetes_services",
      .handle = list_kubernetes_services,
      .form = AnswerForm::shape_list,
      .answer = &question_shapes::kubernetes_service,
      .summary = "List the Kubernetes services that the chart of {one} has created",
      .asks = Question::list_kubernetes_services}},
    {static_cast<std::uint8_t>(ServiceKind::terraform),
     {.path = "{flat}/terraformResources",
      .name = "list_{family}_resources",
      .handle = list_resources,
      .form = AnswerForm::shape_list,
      .answer = &question_shapes::terraform_resource,
      .summary = "List the resources in the state of {one}",
      .asks = Question::list_terraform_resources}},
    {static_cast<std::uint8_t>(ServiceKind::argocd_app),
     {.path = "{flat}/manifest",
      .name = "get_{family}_manifest",
      .handle = read_manifest,
      .form = AnswerForm::shape,
      .answer = &question_shapes::manifest,
      .summary = "Get the manifest of {one}",
      .asks = Question::read_manifest}},
    {job,
     {.method = Method::post,
      .path = "{flat}/cleanFailedJob",
      .name = "clean_failed_{family}",
      .handle = clean_job,
      .form = AnswerForm::shape,
      .answer = &cleaned_job,
      .summary = "Delete the failed runs of {one}",
      .need = Level::operate,
      .asks = Question::clean_failed_jobs}},
    {job,
     {.method = Method::post,
      .path = "/environment/{environmentId}/cleanFailedJobs",
      .name = "clean_failed_{family}s",
      .handle = clean_jobs,
      .body = &jobs_to_clean,
      .form = AnswerForm::shape,
      .answer = &cleaned_jobs,
      .summary = "Delete the failed runs of jobs of an environment",
      .need = Level::operate,
      .asks = Question::clean_failed_jobs}},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = all_services,
    .operations_by_kind = operations,
};

}  // namespace orlop::operation_sets::lookups::workloads
