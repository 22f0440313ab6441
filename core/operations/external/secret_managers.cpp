// The secret managers that clusters read: the names of their secrets, which the external systems answer, and the variables that take their values from them.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "externals/shapes.h"
#include "model/registry.h"
#include "operations/operation_set.h"
#include "operations/services/parts/links.h"
#include "operations/services/parts/subject.h"
#include "ops/access/permission.h"
#include "ops/external.h"
#include "ops/verbs.h"
#include "variables/enumerations.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// An access to a secret manager lies in the record of its cluster.
struct SecretAccess {
  Record cluster;
  Value access;  // with its secrets
};

Result<std::vector<Record>> records_below(Unit& unit, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  return unit.records(range);
}

Result<std::optional<Value>> access_in(const Record& cluster, std::string_view id) {
  if (cluster.body.find(id) == std::string::npos) return std::optional<Value>();
  ORLOP_TRY(full, full_value(cluster));
  const Value* accesses = full.find("secret_manager_accesses");
  if (accesses == nullptr || !accesses->is_list()) return std::optional<Value>();
  for (const Value& access : accesses->items()) {
    if (access.text_or("id", "") == id) return std::optional(access);
  }
  return std::optional<Value>();
}

// Among the clusters of the organizations that the caller can see. Error not_found, forbidden.
Result<SecretAccess> require_access(Unit& unit, const Call& call, Level level) {
  const Id& id = call.ids.front();
  ORLOP_TRY(organizations, records_below(unit, {}, "organization"));
  for (const Record& organization : organizations) {
    ORLOP_TRY(clusters, records_below(unit, organization.id, "cluster"));
    for (Record& cluster : clusters) {
      ORLOP_TRY(access, access_in(cluster, to_text(id)));
      if (!access) continue;
      ORLOP_CHECK(Permissions(unit, *call.caller).require(cluster, level));
      return SecretAccess{std::move(cluster), std::move(*access)};
    }
  }
  return not_found("secret manager access", id);
}

Result<Answer> list_secrets(Unit& unit, const Call& call) {
  ORLOP_TRY(found, require_access(unit, call, Level::operate));
  Value input(Value::Object{{"organization_id", Value(to_text(found.cluster.organization))},
                            {"cluster_id", Value(to_text(found.cluster.id))},
                            {"access", std::move(found.access)},
                            {"name_prefix", Value(query_text(call, "namePrefix"))}});
  return ask_later(unit, {.question = Question::list_secrets, .input = std::move(input)});
}

// Writes an entry for each variable of the owner that takes its value from the access. `service`: the owner, if it is a service.
class Users {
 public:
  Users(Unit& unit, const Call& call, Writer& out) : unit_(unit), call_(call), id_(to_text(call.ids.front())), out_(out) {}

  // A variable of a project reaches each of its environments.
  Result<void> write_project(const Record& project, const Id& cluster);

 private:
  Result<void> write_owner(const Record& project, const Record& environment, const Record& owner);

  Unit& unit_;
  const Call& call_;
  std::string id_;
  Writer& out_;
};

Result<void> Users::write_owner(const Record& project, const Record& environment, const Record& owner) {
  ORLOP_TRY(variables, records_below(unit_, owner.id, "variable"));
  const Family& family = *find_family(owner.family);
  for (const Record& record : variables) {
    if (record.body.find(id_) == std::string::npos) continue;
    ORLOP_TRY(variable, full_value(record));
    if (variable.text_or("secret_manager_access_id", "") != id_) continue;
    out_.begin_object().field("project_id", project.id).field("project_name", name_of(project));
    out_.field("environment_id", environment.id).field("environment_name", name_of(environment));
    if (is_service(family)) {
      out_.field("service_id", owner.id).field("service_name", name_of(owner)).field("service_type", family.service_kind);
    }
    out_.field("variable_name", variable.text_or("key", "")).field("external_secret_name", variable.text_or("value", "")).end_object();
  }
  return {};
}

Result<void> Users::write_project(const Record& project, const Id& cluster) {
  ORLOP_TRY(environments, records_below(unit_, project.id, "environment"));
  ORLOP_CHECK(Permissions(unit_, *call_.caller).filter(environments));
  for (const Record& environment : environments) {
    ORLOP_TRY(body, unit_.value_of(environment));
    if (id_in(*body, "cluster_id") != cluster) continue;
    ORLOP_CHECK(write_owner(project, environment, project));
    ORLOP_CHECK(write_owner(project, environment, environment));
    ORLOP_TRY(services, services_below(unit_, environment.id));
    for (const Record& service : services) ORLOP_CHECK(write_owner(project, environment, service));
  }
  return {};
}

Result<Answer> list_users(Unit& unit, const Call& call) {
  ORLOP_TRY(found, require_access(unit, call, Level::view));
  Writer out;
  out.begin_object().key("results").begin_list();
  Users users(unit, call, out);
  ORLOP_TRY(projects, records_below(unit, found.cluster.organization, "project"));
  for (const Record& project : projects) ORLOP_CHECK(users.write_project(project, found.cluster.id));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field user_fields[] = {
    uuid("project_id", "ID of the project.").required(),
    text("project_name", "Name of the project.").required(),
    uuid("environment_id", "ID of the environment that the variable reaches.").required(),
    text("environment_name", "Name of that environment.").required(),
    uuid("service_id", "ID of the service that owns the variable. Absent: the environment or the project owns it."),
    text("service_name", "Name of that service."),
    enumeration("service_type", variable_service_kinds, "Kind of that service."),
    text("variable_name", "Key of the variable.").required(),
    text("external_secret_name", "Name of the secret in the secret manager.").required(),
};
constexpr Shape user_shape = {.name = "ExternalSecretAssociatedServiceResponse", .fields = user_fields};
constexpr Field secrets_query[] = {text("namePrefix", "Text that the names of the secrets must begin with. Default: any.")};
constexpr Field secrets_fields[] = {list_of("results", FieldKind::text, "Names of the secrets.").required()};
constexpr Shape secrets_shape = {.name = "ProviderSecrets", .fields = secrets_fields};

constexpr Operation operations[] = {
    {.path = "/secretManagerAccess/{secretManagerAccessId}/secrets",
     .name = "list_secret_manager_secrets",
     .handle = list_secrets,
     .query = secrets_query,
     .form = AnswerForm::shape,
     .answer = &secrets_shape,
     .summary = "List the names of the secrets that a secret manager holds",
     .about = "The caller must be allowed to operate the cluster of the access.",
     .need = Level::operate,
     .asks = Question::list_secrets},
    {.path = "/secretManagerAccess/{secretManagerAccessId}/associatedServices",
     .name = "list_secret_manager_associated_services",
     .handle = list_users,
     .form = AnswerForm::shape_list,
     .answer = &user_shape,
     .summary = "List the variables that take their values from a secret manager",
     .about = "A variable of a project is listed for each environment that it reaches."},
};

}  // namespace

namespace operation_sets::external {
extern const OperationSet secret_managers;
constexpr OperationSet secret_managers = {
    .operations = operations,
};
}  // namespace operation_sets::external

}  // namespace orlop
