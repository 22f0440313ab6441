// Preview environments: copies that run another tag of an image.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/preview_source_number.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/request_parts.h"
#include "endpoints/environments/parts/copy_environment.h"
#include "endpoints/environments/parts/deployment_rules.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/registry.h"
#include "records/bulk_jobs/job_parts.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop::operation_sets::environments::preview {
namespace {

Result<std::vector<Record>> children_of(Unit& unit, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  return unit.records(range);
}

// Previews are not previewed: each tag would double the environments.
Result<bool> is_preview(const Record& environment) {
  ORLOP_TRY(body, parse_stored(environment.body));
  return body.text_or("mode", "") == "PREVIEW";
}

// Settings of the environment's deployment rule for previews.
struct PreviewRule {
  bool is_on_demand_only = false;
  bool is_of_all = false;
};

Result<PreviewRule> preview_rule(Unit& unit, const Id& environment) {
  ORLOP_TRY(rule, environment_rule(unit, environment));
  if (!rule) return PreviewRule{};
  ORLOP_TRY(body, unit.value_of(*rule));
  return PreviewRule{body->boolean_or("on_demand_preview", false), body->boolean_or("auto_preview", false)};
}

PreviewImage image_of(const Call& call) {
  return {.image = std::string(call.body->text_or("image_name", "")),
          .tag = std::string(call.body->text_or("tag", ""))};
}

// Returns the first container of an environment that the preview concerns; nil if none. Only texts that contain the
// image's name are parsed.
Result<Id> first_concerned(Unit& unit, const Id& environment, const PreviewImage& preview) {
  const Family& family = *find_family("container");
  RecordRange range;
  range.key = environment;
  range.family = family.number;
  Id found;
  Result<void> outcome;
  ORLOP_CHECK(unit.visit(range, [&](const Record& container) {
    if (container.body.find(preview.image) == std::string::npos) return true;
    const auto body = parse_stored(container.body);
    if (!body) outcome = body.error();
    else if (preview.concerns(family, *body)) found = container.id;
    return outcome && found.is_nil();
  }));
  ORLOP_CHECK(std::move(outcome));
  return found;
}

// Returns "<environment>-preview-<tag>", with a number appended if that is taken.
Result<std::string> free_name(Unit& unit, const Record& environment, std::string_view tag) {
  const Family& family = *find_family("environment");
  std::string wanted = name_of(environment) + "-preview-" + std::string(tag);
  if (wanted.size() > name_size_max - 8) wanted.resize(name_size_max - 8);
  std::string name = wanted;
  for (int number = 2;; ++number) {
    ORLOP_TRY(taken, unit.find(name_key(family, environment.parent, environment.organization, name)));
    if (!taken) return name;
    name = wanted + "-" + std::to_string(number);
  }
}

struct Preview {
  Id environment;
  Id job;  // job that copies a large environment; nil: the copy is complete
};

std::string key_of(const Record& environment, std::string_view tag) {
  std::string key = to_text(environment.id) + " " + std::string(tag);
  if (key.size() > name_size_max) key.resize(name_size_max);
  return key;
}

// Reports whether no unfinished request deletes the environment.
Result<bool> is_to_stay(Unit& unit, const Id& environment) {
  ORLOP_TRY(requests, request_machines(unit, environment));
  return std::ranges::none_of(requests, [](const Machine& request) {
    return is_unfinished(request) && static_cast<Action>(request.action) == Action::remove;
  });
}

// Returns the preview of this tag of the environment; null if none. One that is being deleted gives up its key to a new
// one.
Result<Shared<Record>> present_preview(Unit& unit, const Record& environment, std::string_view tag) {
  const Family& family = *find_family(preview_source_number);
  ORLOP_TRY(found, unit.find(name_key(family, {}, environment.organization, key_of(environment, tag))));
  ORLOP_TRY(source, found ? unit.record(*found) : Result<Shared<Record>>(Shared<Record>()));
  ORLOP_TRY(present, source ? unit.record(source->parent) : Result<Shared<Record>>(Shared<Record>()));
  if (!present) return Shared<Record>();
  ORLOP_TRY(stays, is_to_stay(unit, present->id));
  if (stays) return present;
  unit.erase(source->id);
  return Shared<Record>();
}

// Waits for the job that still fills the environment.
Result<void> require_filled(Unit& unit, const Record& environment) {
  RecordRange range;
  range.key = environment.id;
  range.family = bulk_job_number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(jobs, unit.records(range));
  for (const Record& job : jobs) {
    ORLOP_TRY(machine, unit.machine(job.id));
    if (!machine || static_cast<JobKind>(machine->state) != JobKind::copy) continue;
    unit.wait_for(job.id);
    return make_error(ErrorCode::conflict, "environment \"" + name_of(environment) +
                                               "\" is still being filled by the clone; try again once it is complete");
  }
  return {};
}

Result<void> set_tags(Unit& unit, const Record& environment, const PreviewImage& image) {
  for (const std::string_view name : {"container", "job"}) {
    const Family& family = *find_family(name);
    ORLOP_TRY(services, children_of(unit, environment.id, name));
    for (Record& service : services) {
      ORLOP_TRY(request, as_request(family, service));
      if (!image.set_tag(family, request)) continue;
      ORLOP_TRY(edited, edit_record(unit, family, std::move(service), request));
      (void)edited;
    }
  }
  return {};
}

// Deploys another image's tag, or new content of the tag.
Result<Preview> update(Unit& unit, const Record& environment, const PreviewImage& image) {
  ORLOP_CHECK(require_filled(unit, environment));
  ORLOP_CHECK(set_tags(unit, environment, image));
  ORLOP_CHECK(deploy_preview(unit, environment.id));
  return Preview{environment.id, {}};
}

// Clones the environment with the new tag and deploys the copy; a large one in later commits. An existing preview of
// the tag is deployed again.
Result<Preview> preview(Unit& unit, const Record& environment, const PreviewImage& image) {
  ORLOP_TRY(readiness, cluster_readiness(unit, environment));
  if (readiness.gate == ClusterGate::closed) return make_error(ErrorCode::conflict, std::move(readiness.reason));
  ORLOP_TRY(present, present_preview(unit, environment, image.tag));
  if (present) return update(unit, *present, image);
  ORLOP_TRY(name, free_name(unit, environment, image.tag));
  CloneOptions options;
  options.name = name;
  options.mode = "PREVIEW";
  options.preview = image;
  ORLOP_TRY(copy, copy_environment(unit, environment, options));
  Value source = Value::object();
  source.set("key", Value(key_of(environment, image.tag)));
  ORLOP_TRY(noted, create_record(unit, *find_family(preview_source_number), copy.environment.id, source));
  (void)noted;
  if (copy.job.is_nil()) ORLOP_CHECK(deploy_preview(unit, copy.environment.id));
  return Preview{copy.environment.id, copy.job};
}

// Returns a list of objects: the environments that have a container to preview, each with its first such container.
Result<Value> concerned_environments(Unit& unit, const Call& call) {
  const PreviewImage image = image_of(call);
  Value found = Value::list();
  ORLOP_TRY(projects, children_of(unit, call.ids.front(), "project"));
  for (const Record& project : projects) {
    ORLOP_TRY(environments, children_of(unit, project.id, "environment"));
    for (const Record& environment : environments) {
      ORLOP_TRY(is_itself_one, is_preview(environment));
      if (is_itself_one) continue;
      ORLOP_TRY(rule, preview_rule(unit, environment.id));
      if (rule.is_on_demand_only) continue;
      PreviewImage wanted = image;
      wanted.is_of_all = rule.is_of_all;
      ORLOP_TRY(container, first_concerned(unit, environment.id, wanted));
      if (container.is_nil()) continue;
      Value entry = Value::object();
      entry.set("environment", Value(to_text(environment.id)));
      entry.set("container", Value(to_text(container)));
      entry.set("is_of_all", Value(rule.is_of_all));
      found.append(std::move(entry));
    }
  }
  return found;
}

// Returns the status of the first container's copy, once the copy is made.
Result<std::string> status_of_copy(Unit& unit, const Id& environment, const Id& original) {
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return not_found("environment", environment);  // deleted meanwhile
  ORLOP_TRY(copy, copied_service(unit, original, *record));
  return service_status(unit, copy.value_or(original));
}

Result<Answer> preview_all(Unit& unit, const Call& call) {
  ORLOP_CHECK(require(unit, *find_family("organization"), call.ids.front()));
  const PreviewImage image = image_of(call);
  Answer answer{202, {}};
  bool has_one = false;
  ORLOP_TRY(concerned, concerned_environments(unit, call));
  for (const Value& entry : concerned.items()) {
    const Id container = parse_id(entry.text_or("container", "")).value_or(Id{});
    ORLOP_TRY(environment, unit.record(parse_id(entry.text_or("environment", "")).value_or(Id{})));
    if (!environment) continue;  // deleted meanwhile
    PreviewImage wanted = image;
    wanted.is_of_all = entry.boolean_or("is_of_all", false);
    ORLOP_TRY(made, preview(unit, *environment, wanted));
    if (std::exchange(has_one, true)) continue;
    unit.wait_for(made.job);
    if (made.job.is_nil()) {
      ORLOP_TRY(text, status_of_copy(unit, made.environment, container));
      answer.body = std::move(text);
    } else {
      answer.render = [id = made.environment, container](Unit& later) { return status_of_copy(later, id, container); };
    }
  }
  if (!has_one) {
    return make_error(ErrorCode::not_found, "no container with automatic preview has the image " + image.image +
                                                " with another tag than " + image.tag);
  }
  return answer;
}

constexpr Operation operations[] = {{
    .method = Method::post,
    .path = "/organization/{organizationId}/container/preview",
    .name = "preview_{family}_environments",
    .status = 202,
    .access = Access::write,
    .handle = preview_all,
    .body = &operation_shapes::preview,
    .is_body_required = true,
    .form = AnswerForm::shape,
    .answer = &operation_shapes::status,
    .summary = "Create preview environments for an image tag",
    .about = "Clones the environment of each container that runs the image and has `auto_preview` set, itself or by "
             "the deployment rule of its environment, sets the "
             "new tag, also of jobs that run the image and have `auto_preview` set, and queues a deployment of the "
             "clone. An environment has one preview for each tag: a "
             "preview of the same tag sets the tags and deploys the clone again.",
    .need = Level::operate,
}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("container"),
    .operations = operations,
    .python_class = "Previewable",
};

}  // namespace orlop::operation_sets::environments::preview
