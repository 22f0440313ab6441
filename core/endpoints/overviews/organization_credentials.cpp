// Cloud provider credentials of an organization, each with the clusters that use it.
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "model/enumerations.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "unit/find_record.h"
#include "wire/writer.h"

namespace orlop::operation_sets::overviews::organization_credentials {
namespace {

constexpr std::string_view families[] = {"aws_credentials", "azure_credentials", "gcp_credentials",
                                         "scaleway_credentials", "on_premise_credentials"};

Result<void> write_credential(Unit& unit, const Call& call, const Family& family, const Record& credential,
                              Writer& out) {
  ORLOP_TRY(text, render(unit, family, credential));
  out.begin_object().field_raw("credential", text).key("clusters").begin_list();
  ORLOP_TRY(clusters, visible_referrers(unit, call, credential.id, "cluster"));
  for (const Record& cluster : clusters) {
    ORLOP_TRY(body, unit.value_of(cluster));
    out.begin_object()
        .field("id", cluster.id)
        .field("name", body->text_or("name", ""))
        .field("cloud_provider", body->text_or("cloud_provider", ""))
        .end_object();
  }
  out.end_list().end_object();
  return {};
}

Result<Answer> list_credentials(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const std::string_view name : families) {
    ORLOP_TRY(credentials, visible_children(unit, call, organization.id, name));
    for (const Record& credential : credentials)
      ORLOP_CHECK(write_credential(unit, call, *find_family(name), credential, out));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field cluster_fields[] = {
    uuid("id", "ID of the cluster.").required(),
    text("name", "Name of the cluster.").required(),
    enumeration("cloud_provider", shapes::cloud_vendors, "Cloud provider of the cluster.").required(),
};
constexpr Shape cluster_shape = {.name = "CredentialCluster", .fields = cluster_fields};
constexpr Field credential_fields[] = {
    open_object("credential",
                "Credentials as the operation that gets them returns them. `object_type` names their kind.")
        .required(),
    list_of("clusters", cluster_shape, "Clusters that use the credentials.").required(),
};
constexpr Shape credential_shape = {.name = "OrganizationCredentials", .fields = credential_fields};

constexpr Operation operations[] = {
    {.path = "/organization/{organizationId}/credentials",
     .name = "list_organization_credentials",
     .handle = list_credentials,
     .form = AnswerForm::shape_list,
     .answer = &credential_shape,
     .summary = "List the credentials of an organization with the clusters that use them",
     .about = "Of all cloud providers. Secrets are never returned."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::overviews::organization_credentials
