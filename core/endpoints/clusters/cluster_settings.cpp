// Cloud provider credentials of a cluster.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "deploy/request/lock_of_cluster.h"
#include "endpoints/clusters/parts/cluster_status.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::cluster_settings {
namespace {

constexpr std::string_view info_name = "cloud_provider_credentials";  // name of the member in the cluster's record

// Cloud providers with credentials; a cluster may have another provider.
constexpr std::string_view providers[] = {"AWS", "SCW", "GCP", "ON_PREMISE", "AZURE"};

Result<Answer> answer_info(const Value& cluster, std::uint16_t status) {
  const Value* stored = cluster.find(info_name);
  Writer out;
  out.begin_object();
  const std::string_view provider = cluster.text_or("cloud_provider", "");
  if (std::ranges::find(providers, provider) != std::end(providers)) out.field("cloud_provider", provider);
  const Value* credentials = stored == nullptr ? nullptr : stored->find("credentials");
  if (credentials != nullptr && credentials->is_object()) out.field("credentials", *credentials);
  const std::string_view region = cluster.text_or("region", "");
  out.field("region", stored == nullptr ? region : stored->text_or("region", region)).end_object();
  return Answer{status, std::move(out).take()};
}

Result<Answer> read_info(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(cluster, full_value(subject.record));
  return answer_info(cluster, 200);
}

Result<Answer> set_info(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_CHECK(require_unlocked(unit, subject.record.id));
  ORLOP_TRY(request, as_request(*call.family, subject.record));
  Value info = *call.body;
  const std::string provider(request.text_or("cloud_provider", ""));
  if (info.text_or("cloud_provider", provider) != provider) {
    return invalid_field("cloud_provider", "must be the cluster's own, " + provider);
  }
  info.set("cloud_provider", Value(provider));
  if (!info.has("region")) info.set("region", Value(request.text_or("region", "")));
  request.set(info_name, std::move(info));
  ORLOP_TRY(edited, edit_record(unit, *call.family, subject.record, request));
  ORLOP_TRY(cluster, full_value(edited));
  return answer_info(cluster, 201);
}

constexpr Field credentials_fields[] = {
    uuid("id", "ID of the credentials. They belong to the organization and to the cloud provider of the cluster.")
        .required(),
    text("name", "Name of the credentials. Ignored in requests; the response holds the stored name."),
};
constexpr Shape credentials = {.name = "ClusterCloudProviderInfoCredentials", .fields = credentials_fields};
constexpr Field info_fields[] = {
    enumeration("cloud_provider", providers, "Cloud provider of the cluster. It cannot be changed."),
    object("credentials", credentials, "Credentials with which the platform creates and manages the cluster."),
    text("region", "Region of the cluster. It cannot be changed."),
};
constexpr Shape info_request = {.name = "ClusterCloudProviderInfoRequest", .fields = info_fields};
constexpr Shape info_answer = {.name = "ClusterCloudProviderInfo", .fields = info_fields};

constexpr Operation operations[] = {
    {.path = "{item}/cloudProviderInfo",
     .name = "get_{family}_cloud_provider_info",
     .handle = read_info,
     .form = AnswerForm::shape,
     .answer = &info_answer,
     .summary = "Get the cloud provider credentials of a cluster",
     .about = "Returns the reference to the credentials, without secrets."},
    {.method = Method::post,
     .path = "{item}/cloudProviderInfo",
     .name = "specify_{family}_cloud_provider_info",
     .status = 201,
     .access = Access::write,
     .handle = set_info,
     .body = &info_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &info_answer,
     .summary = "Set the cloud provider credentials of a cluster",
     .about = "The credentials are used from the next deployment on."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::clusters::cluster_settings
