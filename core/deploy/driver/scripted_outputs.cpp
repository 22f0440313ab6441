#include "deploy/driver/scripted_outputs.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text/digest.h"
#include "deploy/request/deployed_commit.h"
#include "model/plan_flag.h"
#include "model/value.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

bool uses_commit(StepKind kind) { return kind == StepKind::build || kind == StepKind::deploy; }

bool makes_cluster(StepKind kind) {
  return kind == StepKind::cluster_create || kind == StepKind::cluster_update || kind == StepKind::cluster_upgrade;
}

struct Cluster {
  std::string name;  // at its provider
  std::string region;
  std::string number;  // twelve digits, like the number of an account
  bool reads_secrets;
};

std::string name_of_cluster(const Id& id) { return "z" + to_text(id).substr(0, 8); }

// Derives decimal digits from the id's bytes, so that a seed reproduces them.
std::string digits_of(const Id& id, std::size_t count) {
  std::string digits;
  for (std::size_t at = 0; at < count; ++at) digits += static_cast<char>('0' + id.bytes[15 - at % 16] % 10);
  return digits;
}

// A PEM block without a certificate, in base64.
constexpr std::string_view certificate_authority =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCi0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";

bool reads_secrets(const Value& cluster) {
  const Value* accesses = cluster.find("secret_manager_accesses");
  return accesses != nullptr && accesses->is_list() && std::ranges::any_of(accesses->items(), [](const Value& access) {
           const Value* mode = access.find_path({"authentication", "mode"});
           return mode != nullptr && mode->is_text() && mode->as_text() == "AUTOMATICALLY_CONFIGURED";
         });
}

void write_authentication(Writer& out, const Cluster& cluster, std::string_view name, const std::string& identity) {
  out.key("external_secrets_automatic_authentication");
  if (!cluster.reads_secrets) {
    out.null();
    return;
  }
  out.begin_object().field(name, identity).end_object();
}

void write_eks(Writer& out, const Cluster& cluster) {
  const std::string issuer = "https://oidc.eks." + cluster.region + ".amazonaws.com/id/" + cluster.number;
  out.field("kind", "EKS").field("cluster_name", cluster.name);
  out.field("cluster_arn", "arn:aws:eks:" + cluster.region + ":" + cluster.number + ":cluster/" + cluster.name);
  out.field("cluster_oidc_issuer", issuer).field("vpc_id", "vpc-" + cluster.number);
  write_authentication(out, cluster, "eks_role_arn",
                       "arn:aws:iam::" + cluster.number + ":role/" + cluster.name + "-secrets");
}

void write_gke(Writer& out, const Cluster& cluster) {
  const std::string project = "project-" + cluster.number;
  out.field("kind", "GKE").field("cluster_name", cluster.name);
  out.field("cluster_self_link", "https://container.googleapis.com/v1/projects/" + project + "/locations/" +
                                     cluster.region + "/clusters/" + cluster.name);
  write_authentication(out, cluster, "gke_service_account", cluster.name + "@" + project + ".iam.gserviceaccount.com");
}

void write_aks(Writer& out, const Cluster& cluster) {
  out.field("kind", "AKS").field("cluster_name", cluster.name);
  out.field("cluster_oidc_issuer", "https://" + cluster.region + ".oic.prod-aks.azure.com/" + cluster.number + "/");
}

// Returns the requested commit; else the head of the branch, derived from URL and branch.
std::string scripted_commit(const Step& step) {
  if (step.configuration.find("git_repository") == std::string::npos) return {};
  const auto configuration = parse_stored(step.configuration);
  const Value* repository = configuration ? repository_of(*configuration) : nullptr;
  if (repository == nullptr) return {};
  constexpr std::size_t commit_size = 40;
  std::string commit(configuration->text_or("git_commit_id", ""));
  if (commit.empty()) {
    commit = to_hex(
        sha256(std::string(repository->text_or("url", "")) + "#" + std::string(repository->text_or("branch", ""))));
    commit.resize(commit_size);
  }
  Writer out;
  out.begin_object().field("git_commit_id", commit).field("git_commit_date", to_text(step.started_at));
  out.field("git_commit_author", repository->text_or("owner", "")).end_object();
  return std::move(out).take();
}

}  // namespace

bool needs_configuration(const Machine& subject) {
  const auto kind = static_cast<StepKind>(subject.step_kind);
  return makes_cluster(kind) || (uses_commit(kind) && has(subject.plan_flags, PlanFlag::has_git));
}

std::string scripted_outputs(const Step& step) {
  if (uses_commit(step.kind)) return scripted_commit(step);
  const auto configuration = makes_cluster(step.kind) ? parse_stored(step.configuration) : Result<Value>(Value());
  if (!configuration || configuration->text_or("kubernetes", "") != "MANAGED") return {};
  const Cluster cluster{name_of_cluster(step.subject), std::string(configuration->text_or("region", "")),
                        digits_of(step.subject, 12), reads_secrets(*configuration)};
  const std::string_view provider = configuration->text_or("cloud_provider", "");
  Writer out;
  out.begin_object();
  if (provider == "AWS") {
    write_eks(out, cluster);
  } else if (provider == "GCP") {
    write_gke(out, cluster);
  } else if (provider == "AZURE") {
    write_aks(out, cluster);
  } else if (provider == "SCW") {
    out.field("kind", "SCW_KAPSULE").field("cluster_name", cluster.name);
  } else {
    return {};
  }
  const Value access = scripted_cluster_access(step.subject);
  for (const std::string_view name : {"kubernetes_endpoint", "kubernetes_certificate_authority"})
    out.field(name, *access.find(name));
  out.end_object();
  return std::move(out).take();
}

Value scripted_cluster_access(const Id& cluster) {
  const std::string name = name_of_cluster(cluster);
  return Value(Value::Object{{"cluster_name", Value(name)},
                             {"kubernetes_endpoint", Value("https://" + name + ".k8s.example.com")},
                             {"kubernetes_certificate_authority", Value(certificate_authority)}});
}

std::string scripted_cluster_token(const Id& cluster) { return "token-" + name_of_cluster(cluster); }

}  // namespace orlop
