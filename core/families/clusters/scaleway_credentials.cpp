// Credentials of Scaleway: a key, and its project and organization.
#include "families/shapes/clusters/cloud_credentials.h"

namespace orlop::families::scaleway_credentials {
namespace {

using namespace shapes;

constexpr std::string_view object_types[] = {"SCW"};

constexpr Field fields[] = {
    credentials_name,
    text("scaleway_access_key", "ID of the Scaleway access key.").required().at_least(1),
    text("scaleway_secret_key",
         "Secret of the Scaleway access key. Never returned; an edit that omits it keeps the stored "
         "value.")
        .required()
        .secret()
        .at_least(1),
    text("scaleway_project_id", "ID of the Scaleway project.").required().at_least(1),
    text("scaleway_organization_id", "ID of the Scaleway organization.").required().at_least(1),
    enumeration("object_type", object_types, "Kind of the stored credentials. Always `SCW`.")
        .read_only()
        .always_present(),
};

void complete(Value& record, ValidationContext&) { record.set("object_type", Value("SCW")); }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 23,
    .name = "scaleway_credentials",
    .schema = "ScalewayCredentials",
    .segment = "scaleway/credentials",
    .id_name = "credentialsId",
    .about = "Scaleway credentials give the platform access to a Scaleway project by an API key.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .name_space = credentials_names,
    .sample = R"({"name": "scaleway", "scaleway_access_key": "SCW00000000000000000", "scaleway_secret_key": "secret",
      "scaleway_project_id": "project", "scaleway_organization_id": "organization"})",
    .complete = complete,
};

}  // namespace orlop::families::scaleway_credentials
