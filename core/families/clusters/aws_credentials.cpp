// Credentials of AWS: a role to assume or a key, for AWS itself or for clusters on the customer's machines.
#include "families/shapes/clusters/cloud_credentials.h"

namespace orlop::families::aws_credentials {
namespace {

using namespace shapes;

constexpr std::string_view types[] = {"AWS_ROLE", "AWS_STATIC", "EKS_ANYWHERE_VSPHERE_ROLE",
                                      "EKS_ANYWHERE_VSPHERE_STATIC"};
constexpr std::string_view object_types[] = {"AWS", "AWS_ROLE", "EKS_ANYWHERE_VSPHERE"};

constexpr Field fields[] = {
    credentials_name,
    enumeration("type", types,
                "Type of the credentials: an IAM role or an access key, for AWS or for EKS Anywhere on vSphere. "
                "Default: derived from "
                "the given fields.")
        .empty_is_absent()
        .input_only(),
    text("role_arn",
         "ARN of the IAM role that the platform assumes, as in `arn:aws:iam::123456789012:role/deploy`. Required for "
         "the types "
         "that end with `ROLE`.")
        .empty_is_absent(),
    text("access_key_id",
         "ID of the AWS access key. Required for the types that end with `STATIC`; excludes `role_arn`.")
        .empty_is_absent(),
    text("secret_access_key",
         "Secret of the AWS access key. Never returned; an edit that omits it keeps the stored value. Required for the "
         "types that "
         "end with `STATIC`.")
        .secret()
        .empty_is_absent(),
    text("vsphere_user",
         "User name for vSphere. Required for the types that contain `VSPHERE`, else it must be absent.")
        .empty_is_absent(),
    text("vsphere_password",
         "Password of the vSphere user. Never returned; an edit that omits it keeps the stored value. Required for the "
         "types that "
         "contain `VSPHERE`.")
        .secret()
        .empty_is_absent(),
    enumeration("object_type", object_types,
                "Kind of the stored credentials, which distinguishes them in lists of credentials.")
        .read_only()
        .always_present(),
};

bool is_role(std::string_view type) { return type.ends_with("ROLE"); }
bool is_vsphere(std::string_view type) { return type.starts_with("EKS"); }

// Returns the given type, else the type that the fields imply. An edit preserves secrets, so a secret implies a type
// only in a create.
std::string_view type_of(const Value& record, const ValidationContext& context) {
  if (record.has("type")) return record.text_or("type", "");
  const bool is_new = context.previous() == nullptr;
  const bool has_role = record.has("role_arn");
  const bool has_vsphere = record.has("vsphere_user") || (is_new && record.has("vsphere_password"));
  if (has_vsphere) return has_role ? "EKS_ANYWHERE_VSPHERE_ROLE" : "EKS_ANYWHERE_VSPHERE_STATIC";
  return has_role ? "AWS_ROLE" : "AWS_STATIC";
}

// Accepts a secret left over from another type: `complete` removes it.
void check(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view type = type_of(record, context);
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

void complete(Value& record, ValidationContext& context) {
  const std::string type(type_of(record, context));
  if (is_role(type)) record.erase("secret_access_key");
  if (!is_vsphere(type)) record.erase("vsphere_password");
  record.set("object_type", Value(is_vsphere(type) ? "EKS_ANYWHERE_VSPHERE" : is_role(type) ? "AWS_ROLE" : "AWS"));
  record.erase("type");
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 20,
    .name = "aws_credentials",
    .schema = "AwsCredentials",
    .segment = "aws/credentials",
    .id_name = "credentialsId",
    .about =
        "AWS credentials give the platform access to an AWS account, by an IAM role or an access key, and for EKS "
        "Anywhere to "
        "vSphere as well.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .name_space = credentials_names,
    .sample = R"({"name": "aws", "type": "AWS_STATIC", "access_key_id": "AKIA0000000000000000", "secret_access_key": )"
              R"("secret"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::aws_credentials
