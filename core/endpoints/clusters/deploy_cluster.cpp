#include <string>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "endpoints/clusters/parts/cluster_status.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::deploy_cluster {
namespace {

Result<Answer> act(Unit& unit, const Call& call, Action action, std::uint16_t status) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_CHECK(place_cluster(unit, subject.record.id, action, call.author));
  ORLOP_TRY(text, cluster_status(unit, subject.record));
  return Answer{status, std::move(text)};
}

Result<Answer> deploy(Unit& unit, const Call& call) {
  return act(unit, call, query_flag(call, "dry_run") ? Action::dry_run : Action::deploy, 200);
}
Result<Answer> stop(Unit& unit, const Call& call) { return act(unit, call, Action::stop, 202); }
Result<Answer> upgrade(Unit& unit, const Call& call) { return act(unit, call, Action::upgrade, 201); }

Result<Answer> read_status(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(text, cluster_status(unit, subject.record));
  return Answer{200, std::move(text)};
}

Result<Answer> list_statuses(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *parent_of(*call.family), call.ids.front()));
  RecordRange range;
  range.key = organization.id;
  range.family = call.family->number;
  ORLOP_TRY(clusters, unit.records(range));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& cluster : clusters) ORLOP_CHECK(write_cluster_status(unit, out, cluster));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field deploy_query[] = {
    boolean("dry_run", "Compute the changes that a deployment would make, without making them. Default: false.")};

constexpr Operation action(std::string_view path, std::string_view name, std::uint16_t status, Handler handle,
                           std::span<const Field> query, std::string_view summary, std::string_view about) {
  return {.method = Method::post,
          .path = path,
          .name = name,
          .status = status,
          .access = Access::write,
          .handle = handle,
          .query = query,
          .form = AnswerForm::shape,
          .answer = &operation_shapes::cluster_status,
          .summary = summary,
          .about = about};
}

constexpr Operation operations[] = {
    action("{item}/deploy", "deploy_{family}", 200, deploy, deploy_query, "Deploy a cluster",
           "Starts a deployment, or a dry run, and returns the status of the cluster. 409: the state of the cluster "
           "does not "
           "allow it."),
    action("{item}/stop", "stop_{family}", 202, stop, {}, "Stop a cluster",
           "Starts a stop and returns the status of the cluster. 409: the state, the cloud provider or the kind of the "
           "cluster "
           "does not allow it."),
    action("{flat}/upgrade", "upgrade_{family}", 201, upgrade, {}, "Upgrade a cluster to the next Kubernetes version",
           "Starts an upgrade and returns the status of the cluster. 409: the cluster is locked, no next version is "
           "known, or "
           "its state does not allow it."),
    {.path = "{item}/status",
     .name = "get_{family}_status",
     .handle = read_status,
     .form = AnswerForm::shape,
     .answer = &operation_shapes::cluster_status,
     .summary = "Get the status of a cluster",
     .about = "Returns the state of the cluster in its lifecycle, its lock, and the next Kubernetes version. Ask again "
              "until the state is none of a queued or running action."},
    {.path = "{collection}/status",
     .name = "list_{family}_statuses",
     .handle = list_statuses,
     .form = AnswerForm::shape_list,
     .answer = &operation_shapes::cluster_status,
     .summary = "List the statuses of the clusters of an organization",
     .about = "Returns the status of each cluster that the caller may see, as the operation about one returns it."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
    .python_class = "ClusterDeploy",
};

}  // namespace orlop::operation_sets::clusters::deploy_cluster
