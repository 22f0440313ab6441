// Credentials of the customer's machines: a name that clusters there refer to, without a secret.
#include "families/shapes/clusters/cloud_credentials.h"

namespace orlop::families::on_premise_credentials {
namespace {

using namespace shapes;

constexpr std::string_view object_types[] = {"OTHER"};

constexpr Field fields[] = {
    credentials_name,
    enumeration("object_type", object_types, "Kind of the stored credentials. Always `OTHER`.")
        .read_only()
        .always_present(),
};

void complete(Value& record, ValidationContext&) { record.set("object_type", Value("OTHER")); }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 24,
    .name = "on_premise_credentials",
    .schema = "OnPremiseCredentials",
    .segment = "onPremise/credentials",
    .id_name = "credentialsId",
    .about =
        "On-premise credentials are a named placeholder that clusters on the customer's own machines refer to. They "
        "contain no "
        "secret.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .name_space = credentials_names,
    .sample = R"({"name": "cellar"})",
    .complete = complete,
};

}  // namespace orlop::families::on_premise_credentials
