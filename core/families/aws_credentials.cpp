// Credentials of AWS: a role to take or a key, for AWS itself or for clusters on the customer's own machines.
#include "families/shapes/credentials.h"

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view types[] = {"AWS_ROLE", "AWS_STATIC", "EKS_ANYWHERE_VSPHERE_ROLE", "EKS_ANYWHERE_VSPHERE_STATIC"};
constexpr std::string_view object_types[] = {"AWS", "AWS_ROLE", "EKS_ANYWHERE_VSPHERE"};

constexpr Field fields[] = {
    credentials_name,
    word("type", types, "What they are: a role or a key, for AWS or for vSphere.").required().input_only(),
    text("role_arn", "The role to take; of the types with ROLE.").at_least(1),
    text("access_key_id", "The key's name; of the types with STATIC.").at_least(1),
    text("secret_access_key", "The key itself; of the types with STATIC.").secret().at_least(1),
    text("vsphere_user", "The user of vSphere; of the types with VSPHERE.").at_least(1),
    text("vsphere_password", "That user's password; of the types with VSPHERE.").secret().at_least(1),
    word("object_type", object_types, "What they are, as the answer says it.").read_only(),
};

bool is_role(std::string_view type) { return type.ends_with("ROLE"); }
bool is_vsphere(std::string_view type) { return type.starts_with("EKS"); }

// A secret that is left over from another type is no fault of the request: complete takes it away.
void check(const Value& record, Surroundings&, Violations& violations) {
  const std::string_view type = record.text_or("type", "");
  if (is_role(type)) {
    check_members(record, "", {"role_arn"}, {"access_key_id"}, type, violations);
  } else {
    check_members(record, "", {"access_key_id", "secret_access_key"}, {"role_arn"}, type, violations);
  }
  if (is_vsphere(type)) {
    check_members(record, "", {"vsphere_user", "vsphere_password"}, {}, type, violations);
  } else {
    check_members(record, "", {}, {"vsphere_user"}, type, violations);
  }
}

void complete(Value& record, Surroundings&) {
  if (!record.has("type")) return;
  const std::string type(record.text_or("type", ""));
  if (is_role(type)) record.erase("secret_access_key");
  if (!is_vsphere(type)) record.erase("vsphere_password");
  record.set("object_type", Value(is_vsphere(type) ? "EKS_ANYWHERE_VSPHERE" : is_role(type) ? "AWS_ROLE" : "AWS"));
  record.erase("type");
}

}  // namespace

extern const Family aws_credentials;
constexpr Family aws_credentials = {
    .number = 20,
    .name = "aws_credentials",
    .schema = "AwsCredentials",
    .segment = "aws/credentials",
    .id_name = "credentialsId",
    .about = "Credentials of AWS: a role to take or a key, for AWS itself or for clusters on the customer's own machines.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .name_space = credentials_names,
    .sample = R"({"name": "aws", "type": "AWS_STATIC", "access_key_id": "AKIA0000000000000000", "secret_access_key": "secret"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families
