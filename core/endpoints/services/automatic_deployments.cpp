// Automatic deployments of a new tag of an image, and of a new commit of a branch.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/auto_deploy.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/service_kind.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/registry.h"
#include "releases/find_git_repository.h"
#include "unit/operation.h"
#include "wire/json.h"

namespace orlop::operation_sets::services::automatic_deployments {
namespace {

using MaybeBody = Result<std::optional<Value>>;

// Returns the image of a container or job; null if none.
const Value* image_of(const Value& service) {
  if (service.has("image_name")) return &service;
  const Value* image = service.find_path({"source", "image"});
  return image != nullptr && image->is_object() ? image : nullptr;
}

Result<Answer> deploy_tag(Unit& unit, const Call& call, ServiceKind kind) {
  const std::string name(call.body->text_or("image_name", ""));
  const std::string tag(call.body->text_or("tag", ""));
  NewVersion version;
  version.kinds = static_cast<std::uint8_t>(kind);
  version.nowhere = "no " + std::string(kind == ServiceKind::job ? "job" : "container") +
                    " with automatic deployment has the image " + name + " with another tag than " + tag;
  version.body_for = [&](const Record&, const Value& service) -> MaybeBody {
    const Value* image = image_of(service);
    const bool is_new =
        image != nullptr && image->text_or("image_name", "") == name && image->text_or("tag", "") != tag;
    if (!is_new) return std::optional<Value>();
    return std::optional(Value(Value::Object{{"image_tag", Value(tag)}}));
  };
  return deploy_new_version(unit, call, version);
}

Result<Answer> deploy_container_tag(Unit& unit, const Call& call) {
  return deploy_tag(unit, call, ServiceKind::container);
}
Result<Answer> deploy_job_tag(Unit& unit, const Call& call) { return deploy_tag(unit, call, ServiceKind::job); }

Result<std::vector<Value>> restrictions_of(Unit& unit, const Id& service) {
  RecordRange range;
  range.key = service;
  range.family = find_family("deployment_restriction")->number;
  ORLOP_TRY(records, unit.records(range));
  std::vector<Value> restrictions;
  for (const Record& record : records) {
    ORLOP_TRY(restriction, parse_stored(record.body));
    restrictions.push_back(std::move(restriction));
  }
  return restrictions;
}

// Makes the body of a deployment; for Terraform with the configured action for automatic deployments. Null: no
// deployment.
Value body_for_commit(const Value& service, std::string_view commit) {
  Value body(Value::Object{{"git_commit_id", Value(commit)}});
  const Value* terraform = service.find("auto_deploy_config");
  if (terraform == nullptr) return body;
  const std::string_view action = terraform->text_or("terraform_action", "DEFAULT");
  if (action == "NOOP") return Value();
  if (action != "DEFAULT") body.set("action", Value(action));
  return body;
}

Result<Answer> deploy_commit(Unit& unit, const Call& call) {
  const Value& push = *call.body;
  const std::string url(push.text_or("url", ""));
  const std::string branch(push.text_or("branch", ""));
  NewVersion version;
  version.kinds = static_cast<std::uint8_t>(ServiceKind::application) | static_cast<std::uint8_t>(ServiceKind::job) |
                  static_cast<std::uint8_t>(ServiceKind::helm) | static_cast<std::uint8_t>(ServiceKind::terraform);
  version.is_of_previews = true;
  version.origin = "GIT";
  version.nowhere = "no service with automatic deployment is built from the branch " + branch + " of " + url +
                    " and lets the changed files through";
  version.body_for = [&](const Record& record, const Value& service) -> MaybeBody {
    const Value* repository = find_git_repository(service);
    const bool is_of_branch = repository != nullptr && repository->text_or("branch", "") == branch &&
                              is_same_repository(repository->text_or("url", ""), url);
    if (!is_of_branch) return std::optional<Value>();
    ORLOP_TRY(restrictions, restrictions_of(unit, record.id));
    if (!lets_through(restrictions, push.find("changed_files")->items())) return std::optional<Value>();
    Value body = body_for_commit(service, push.text_or("git_commit_id", ""));
    return body.is_null() ? std::optional<Value>() : std::optional(std::move(body));
  };
  return deploy_new_version(unit, call, version);
}

constexpr Field image_fields[] = {
    text("image_name", "Name of the image, without registry and tag.").required().at_least(1),
    text("tag", "New tag of the image, which becomes the tag of the services.").required().at_least(1),
};
constexpr Shape container_version = {.name = "OrganizationContainerAutoDeployRequest", .fields = image_fields};
constexpr Shape job_version = {.name = "OrganizationJobAutoDeployRequest", .fields = image_fields};
constexpr Field commit_fields[] = {
    text("url", "URL of the git repository, as in `https://github.com/acme/api.git`.").required().at_least(1),
    text("branch", "Branch that has new commits.").required().at_least(1),
    text("git_commit_id", "Hash of the newest commit, which is deployed.").required().at_least(1),
    list_of("changed_files", FieldKind::text,
            "Paths of the files that the new commits change, 1 to 5000. Deployment restrictions decide by them.")
        .required()
        .at_least(1)
        .at_most(5000),
};
constexpr Shape commit_version = {.name = "OrganizationGitAutoDeployRequest", .fields = commit_fields};

constexpr Field skipped_fields[] = {
    uuid("service_id", "ID of the service.").required(),
    enumeration("service_type", service_kind_names, "Kind of the service.").required(),
    text("service_name", "Name of the service.").required(),
    uuid("environment_id", "ID of its environment.").required(),
    boolean("is_kept", "True if the next deployment of the service takes the version.").required(),
    text("reason", "Reason why no deployment of the service is queued.").required(),
};
constexpr Shape skipped_service = {.name = "AutoDeploySkippedService", .fields = skipped_fields};
constexpr auto auto_deploy_fields = [] {
  std::array<Field, std::size(operation_shapes::status_fields) + 1> fields;
  *std::ranges::copy(operation_shapes::status_fields, fields.begin()).out =
      list_of("skipped", skipped_service, "Services that the version concerns, and for which no deployment is queued.")
          .required();
  return fields;
}();
constexpr Shape auto_deploy_status = {.name = "AutoDeployStatus", .fields = auto_deploy_fields};

constexpr Operation deploying(std::string_view path, std::string_view name, Handler handle, const Shape& body,
                              std::string_view summary, std::string_view about) {
  return {.method = Method::post,
          .path = path,
          .name = name,
          .status = 202,
          .access = Access::write,
          .handle = handle,
          .body = &body,
          .is_body_required = true,
          .form = AnswerForm::shape,
          .answer = &auto_deploy_status,
          .summary = summary,
          .about = about,
          .need = Level::operate};
}

constexpr std::string_view about_image =
    "Sets the tag of each service of the organization that has `auto_deploy` set and the image with another tag, and "
    "queues its deployment, behind one that is under way. "
    "A service that the hours of its environment have stopped is deployed when they begin. Services in preview "
    "environments, and services that a caller has stopped or "
    "uninstalled, are left as they are. Returns the status of the first service, and in `skipped` those for which none "
    "is queued, and why. 404: no service is concerned. "
    "409: no service that is concerned can be deployed, now or later.";

constexpr Operation operations[] = {
    deploying("/organization/{organizationId}/container/deploy", "auto_deploy_container_environments",
              deploy_container_tag, container_version, "Deploy an image tag to containers with automatic deployment",
              about_image),
    deploying("/organization/{organizationId}/job/deploy", "auto_deploy_job_environments", deploy_job_tag, job_version,
              "Deploy an image tag to jobs with automatic deployment", about_image),
    deploying("/organization/{organizationId}/git/deploy", "auto_deploy_git_environments", deploy_commit,
              commit_version, "Deploy a commit to services with automatic deployment",
              "For the host that receives the webhooks of git providers. Queues a deployment of each service of the "
              "organization that has `auto_deploy` set and is built "
              "from the branch, unless its deployment restrictions do not let the changed files through. A service "
              "that is under way is deployed after that, at the newest of "
              "the commits that wait; one that the hours of its environment have stopped is deployed when they begin. "
              "Services that a caller has stopped or uninstalled are "
              "left as they are. Returns the status of the first service, and in `skipped` those for which none is "
              "queued, and why. 404: no service is concerned. 409: no "
              "service that is concerned can be deployed, now or later."),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::automatic_deployments
