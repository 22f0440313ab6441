// Single settings deep in the record of a cluster: the commit of an EKS Anywhere configuration, the subnets of
// Karpenter.
#include <string>
#include <utility>

#include "deploy/request/lock_of_cluster.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::outside_settings {
namespace {

Result<Value> editable(Unit& unit, const Call& call, const Record& cluster) {
  ORLOP_CHECK(require_unlocked(unit, cluster.id));
  return as_request(*call.family, cluster);
}

Result<Answer> set_commit(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(request, editable(unit, call, subject.record));
  Value* charts = request.find("infrastructure_charts_parameters");
  Value* anywhere = charts == nullptr ? nullptr : charts->find("eks_anywhere_parameters");
  Value* repository = anywhere == nullptr ? nullptr : anywhere->find("git_repository");
  if (repository == nullptr)
    return invalid_field("clusterId",
                         "must be a cluster with infrastructure_charts_parameters.eks_anywhere_parameters");
  const std::string commit(call.body->text_or("commit_id", ""));
  repository->set("commit_id", Value(commit));
  ORLOP_CHECK(edit_record(unit, *call.family, subject.record, request));
  Writer out;
  out.begin_object().field("commit_id", commit).end_object();
  return Answer{200, std::move(out).take()};
}

// Returns the value of the feature that puts the cluster into a network of the customer; null if none.
Value* network_of(Value& cluster) {
  Value* features = cluster.find("features");
  if (features == nullptr || !features->is_list()) return nullptr;
  for (Value& feature : features->items()) {
    Value* held = feature.find("value_object");
    if (held != nullptr && held->text_or("type", "") == "AWS_USER_PROVIDED_NETWORK") return held->find("value");
  }
  return nullptr;
}

// Absent members become null: a PUT replaces all three.
Result<Answer> set_subnets(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(request, editable(unit, call, subject.record));
  Value* network = network_of(request);
  if (network == nullptr) return invalid_field("clusterId", "must be an AWS cluster with the feature EXISTING_VPC");
  for (const char zone : {'a', 'b', 'c'}) {
    const std::string name = std::string("eks_karpenter_fargate_subnets_zone_") + zone + "_ids";
    const Value* given = call.body->find(name);
    network->set(name, given == nullptr ? Value() : *given);
  }
  ORLOP_CHECK(edit_record(unit, *call.family, subject.record, request));
  return Answer{200, {}};
}

constexpr Field commit_fields[] = {
    text("commit_id", "ID of the commit that holds the cluster specification.").required().at_least(1).at_most(255)};
constexpr Shape commit_request = {.name = "EksAnywhereCommitRequest", .fields = commit_fields};
constexpr Shape commit_answer = {.name = "EksAnywhereCommitResponse", .fields = commit_fields};

constexpr Field zone(std::string_view name, std::string_view about) {
  return list_of(name, FieldKind::text, about).at_most(100);
}
constexpr Field subnet_fields[] = {
    zone("eks_karpenter_fargate_subnets_zone_a_ids",
         "IDs of the subnets in availability zone a, at most 100. Absent: none."),
    zone("eks_karpenter_fargate_subnets_zone_b_ids",
         "IDs of the subnets in availability zone b, at most 100. Absent: none."),
    zone("eks_karpenter_fargate_subnets_zone_c_ids",
         "IDs of the subnets in availability zone c, at most 100. Absent: none."),
};
constexpr Shape subnets_request = {.name = "ClusterKarpenterPrivateSubnetIdsPutRequest", .fields = subnet_fields};

constexpr Operation operations[] = {
    {.method = Method::put,
     .path = "{item}/eks-anywhere/commit",
     .name = "edit_{family}_eks_anywhere_commit",
     .access = Access::write,
     .handle = set_commit,
     .body = &commit_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &commit_answer,
     .summary = "Set the commit of an EKS Anywhere cluster's specification",
     .about =
         "It is applied by the next deployment of the cluster. 400: the cluster has no `eks_anywhere_parameters`."},
    {.method = Method::put,
     .path = "{item}/karpenterPrivateSubnetIds",
     .name = "edit_{family}_karpenter_subnets",
     .access = Access::write,
     .handle = set_subnets,
     .body = &subnets_request,
     .is_body_required = true,
     .summary = "Set the subnets of the Fargate profile that runs Karpenter",
     .about = "They belong to the VPC of the feature `EXISTING_VPC`, and take effect with the next deployment of the "
              "cluster. 400: the cluster does not have the feature."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::clusters::outside_settings
