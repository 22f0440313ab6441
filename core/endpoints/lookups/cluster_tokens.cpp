// Tokens for the API of a cluster, and tokens of a cluster for the platform. External systems answer.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::cluster_tokens {
namespace {

Value cluster_input(const Record& cluster) {
  return Value(Value::Object{{"organization_id", Value(to_text(cluster.organization))},
                             {"cluster_id", Value(to_text(cluster.id))}});
}

// Answers in the form that kubectl expects from a credential plugin.
Result<Answer> get_token(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  Value input = cluster_input(cluster);
  input.add("read_only", Value(query_flag(call, "read_only")));
  return ask_later(
      unit,
      {.question = Question::get_cluster_token, .input = std::move(input), .reply = [](const Value& token) {
         Writer out;
         out.begin_object().field("apiVersion", "client.authentication.k8s.io/v1").field("kind", "ExecCredential");
         out.key("spec").begin_object().end_object().key("status").begin_object();
         out.field("token", token.text_or("token", "")).field("expirationTimestamp", token.text_or("expires_at", ""));
         out.end_object().end_object();
         return Result<Answer>(Answer{200, std::move(out).take()});
       }});
}

Result<Answer> get_jwt(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  return ask_later(
      unit,
      {.question = Question::get_eks_anywhere_jwt, .input = cluster_input(cluster), .reply = [](const Value& jwt) {
         return Result<Answer>(Answer{200, Writer().begin_object().field("jwt", jwt).end_object().text()});
       }});
}

Result<Answer> list_eks_commits(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  return ask_later(unit, {.question = Question::list_eks_anywhere_commits, .input = cluster_input(cluster)});
}

constexpr Field token_query[] = {boolean("read_only", "Get a token that can only read. Default: false.")};
constexpr Field status_fields[] = {
    text("token", "Bearer token for the Kubernetes API of the cluster.").required(),
    date_time("expirationTimestamp", "Time at which the token expires.").required(),
};
constexpr Shape status_shape = {.fields = status_fields};
constexpr Field token_fields[] = {
    text("apiVersion", "Version of the format: `client.authentication.k8s.io/v1`.").required(),
    text("kind", "Name of the format: `ExecCredential`.").required(),
    open_object("spec", "Empty object, which the format requires.").required(),
    object("status", status_shape, "Token with the time at which it expires.").required(),
};
constexpr Shape token_shape = {.name = "ClusterTokenResponse", .fields = token_fields};
constexpr Field jwt_fields[] = {
    text("jwt", "JSON web token with which the cluster registers at the platform.").required()};
constexpr Shape jwt_shape = {.name = "EksAnywhereClusterJwtResponse", .fields = jwt_fields};
constexpr Operation operations[] = {
    {.path = "{flat}/token",
     .name = "get_{family}_token",
     .handle = get_token,
     .query = token_query,
     .form = AnswerForm::shape,
     .answer = &token_shape,
     .summary = "Get a token for the Kubernetes API of a cluster",
     .about = "In the form that kubectl expects of a credential plugin.",
     .need = Level::manage,
     .asks = Question::get_cluster_token},
    {.path = "{item}/eks-anywhere/jwt",
     .name = "get_eks_anywhere_{family}_jwt",
     .handle = get_jwt,
     .form = AnswerForm::shape,
     .answer = &jwt_shape,
     .summary = "Get the token with which an EKS Anywhere cluster registers",
     .need = Level::manage,
     .asks = Question::get_eks_anywhere_jwt},
    {.path = "{item}/eks-anywhere/commits",
     .name = "list_eks_anywhere_commits",
     .handle = list_eks_commits,
     .form = AnswerForm::shape_list,
     .answer = &question_shapes::commit,
     .summary = "List the commits of the configuration of an EKS Anywhere cluster",
     .asks = Question::list_eks_anywhere_commits},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::cluster_tokens
