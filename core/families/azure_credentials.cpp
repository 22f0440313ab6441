// Credentials of Azure: a subscription and its tenant, in which the platform has an application of its own.
#include "families/shapes/credentials.h"

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view object_types[] = {"AZURE"};

constexpr Field fields[] = {
    credentials_name,
    text("azure_subscription_id", "The subscription's id.").required().at_least(1),
    text("azure_tenant_id", "The tenant's id.").required().at_least(1),
    text("access_key_id", "What the platform presents itself as: the id of its application.").read_only().always_present(),
    text("azure_application_id", "The id of the platform's application.").read_only().always_present(),
    text("azure_application_object_id", "The id of the object that stands for the application in the tenant.").read_only().always_present(),
    enumeration("object_type", object_types, "What they are.").read_only().always_present(),
};

void complete(Value& record, ValidationContext& context) {
  record.set("object_type", Value("AZURE"));
  if (!record.has("azure_application_id")) record.set("azure_application_id", Value(to_text(context.make_id())));
  if (!record.has("azure_application_object_id")) record.set("azure_application_object_id", Value(to_text(context.make_id())));
  record.set("access_key_id", *record.find("azure_application_id"));
}

}  // namespace

extern const Family azure_credentials;
constexpr Family azure_credentials = {
    .number = 21,
    .name = "azure_credentials",
    .schema = "AzureCredentials",
    .segment = "azure/credentials",
    .id_name = "credentialsId",
    .about = "Credentials of Azure: a subscription and its tenant, in which the platform has an application of its own.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .name_space = credentials_names,
    .sample = R"({"name": "azure", "azure_subscription_id": "subscription", "azure_tenant_id": "tenant"})",
    .complete = complete,
};

}  // namespace orlop::families
