// Descriptions of fields and operations: documentation for users, in the terms of the field.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "describe/openapi/operations.h"
#include "external_systems/question.h"
#include "model/registry.h"
#include "rest/route.h"

namespace orlop {
namespace {

struct Described {
  std::string owner;  // schema of the family, name of the shape, or name of the operation
  Field field;
};

void collect(std::string_view owner, std::span<const Field> fields, std::set<const Shape*>& seen,
             std::vector<Described>& all);

void collect(const Shape& shape, std::set<const Shape*>& seen, std::vector<Described>& all) {
  if (!seen.insert(&shape).second) return;
  collect(shape.name, shape.fields, seen, all);
  for (const Variant& variant : shape.variants) collect(shape.name, variant.fields, seen, all);
}

void collect(std::string_view owner, std::span<const Field> fields, std::set<const Shape*>& seen,
             std::vector<Described>& all) {
  for (const Field& field : fields) {
    all.push_back({std::string(owner), field});
    if (field.shape != nullptr) collect(*field.shape, seen, all);
  }
}

std::vector<Described> every_field() {
  std::vector<Described> all;
  std::set<const Shape*> seen;
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) collect(family->schema, family->fields, seen, all);
  }
  for (const Route& route : all_routes()) {
    collect(route.name, route.operation.query, seen, all);
    for (const Shape* shape : {route.operation.body, route.operation.answer}) {
      if (shape != nullptr) collect(*shape, seen, all);
    }
  }
  for (const QuestionFacts& question : all_questions()) {
    collect(question.name, question.input->fields, seen, all);
    collect(question.name, std::span(&question.answer, 1), seen, all);
  }
  collect("page", page_fields(), seen, all);
  return all;
}

std::string lower_letters(std::string_view text) {
  std::string letters;
  for (const char letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return letters;
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Beginnings of a question; a description names what the field sets.
constexpr std::string_view banned_beginnings[] = {"Whether", "Who",   "Whose", "What", "How",
                                                  "Its",     "Their", "Where", "When", "With which",
                                                  "That",    "Which", "From",  "Says", "Of"};

// Returns what is wrong with the description, or "".
std::string fault_of(std::string_view name, std::string_view about) {
  const std::vector<std::string> words = words_of(about);
  if (words.size() < 3) return "has fewer than three words";
  if (lower_letters(about) == lower_letters(name)) return "only repeats the name";
  if (!about.ends_with('.') && !about.ends_with(")")) return "does not end with a full stop";
  for (const std::string_view beginning : banned_beginnings) {
    if (about.starts_with(std::string(beginning) + " ")) return "begins with \"" + std::string(beginning) + "\"";
  }
  for (const std::string_view vague : {"nobody", "somebody", "is told", " a look", "the world", "chance"}) {
    if (about.find(vague) != std::string_view::npos) return "says \"" + std::string(vague) + "\"";
  }
  return "";
}

TEST(Descriptions, of_every_field_say_what_it_sets) {
  const std::vector<Described> all = every_field();
  EXPECT_GT(all.size(), 500U);
  for (const auto& [owner, field] : all) {
    EXPECT_EQ(fault_of(field.name, field.about), "") << owner << "." << field.name << ": " << field.about;
  }
}

TEST(Descriptions, of_every_family_begin_with_its_name) {
  for (const Family* family : all_families()) {
    EXPECT_GE(words_of(family->about).size(), 8U) << family->name;
    EXPECT_TRUE(family->about.ends_with('.')) << family->name;
  }
}

struct Concept {
  std::string_view owner;  // "" for every shape
  std::string_view field;
  std::string_view term;
};
constexpr Concept concepts[] = {
    {"", "dockerfile_path", "Dockerfile"},
    {"", "dockerfile_raw", "Dockerfile"},
    {"", "docker_target_build_stage", "Dockerfile"},
    {"", "dockerfile_fragment", "Dockerfile"},
    {"", "skip_tls_verification", "TLS"},
    {"", "default_ssl_certificate", "TLS"},
    {"", "aws_vpc_eks_id", "VPC"},
    {"", "vpc_id", "VPC"},
    {"", "vpc_name", "VPC"},
    {"", "rds_subnets_zone_a_ids", "VPC"},
    {"", "role_arn", "IAM"},
    {"", "eks_role_arn", "IAM"},
    {"", "cluster_oidc_issuer", "OIDC"},
    {"", "workload_identity_provider_resource", "OIDC"},
    {"", "ip_address_pools", "CIDR"},
    {"", "annotation_external_dns_kubernetes_target", "DNS"},
    {"Database", "host", "DNS"},
    {"", "nginx_parameters", "NGINX"},
    {"", "replica_count", "NGINX"},
    {"", "replica_count", "replica"},
    {"", "min_running_instances", "replica"},
    {"", "max_running_instances", "replica"},
    {"", "cert_manager_parameters", "cert-manager"},
    {"Cluster", "keda", "KEDA"},
    {"AutoscalingPolicy", "mode", "KEDA"},
    {"KedaScaler", "scaler_type", "KEDA"},
    {"KedaScaler", "config_yaml", "PromQL"},
    {"", "consolidation", "Karpenter"},
    {"", "consolidate_after", "Karpenter"},
    {"", "spot_enabled", "spot"},
    {"", "opa_policy", "Rego"},
    {"", "scheduled_at", "Cron"},
};

TEST(Descriptions, name_the_products_and_protocols) {
  const std::vector<Described> all = every_field();
  for (const Concept& one : concepts) {
    int count = 0;
    for (const auto& [owner, field] : all) {
      if (field.name != one.field || (!one.owner.empty() && owner != one.owner)) continue;
      ++count;
      EXPECT_NE(field.about.find(one.term), std::string_view::npos)
          << owner << "." << field.name << " does not mention " << one.term << ": " << field.about;
    }
    EXPECT_GT(count, 0) << "no field " << one.owner << "." << one.field;
  }
}

// Verbs at the beginning of summaries.
constexpr std::string_view verbs[] = {
    "Accept",  "Add",     "Ask",      "Assign",    "Bind",     "Cancel",     "Change", "Check",   "Claim", "Clone",
    "Compare", "Connect", "Create",   "Delete",    "Deploy",   "Disconnect", "Edit",   "Export",  "Get",   "Import",
    "List",    "Lock",    "Move",     "Preview",   "Redeploy", "Remove",     "Replay", "Restart", "Roll",  "Send",
    "Set",     "Stop",    "Transfer", "Uninstall", "Unlock",   "Update",     "Upgrade"};

std::string fault_of_summary(std::string_view summary) {
  if (summary.empty()) return "is missing";
  if (summary.find('\n') != std::string_view::npos || summary.size() > 100) return "is longer than one line";
  if (summary.ends_with('.')) return "ends with a full stop";
  if (summary.find('{') != std::string_view::npos) return "has a placeholder left";
  const std::string_view verb = summary.substr(0, summary.find(' '));
  return std::ranges::find(verbs, verb) == std::end(verbs) ? "does not begin with a verb in the imperative" : "";
}

TEST(Descriptions, of_every_operation_have_a_summary_in_the_imperative) {
  for (const Route& route : all_routes()) {
    EXPECT_EQ(fault_of_summary(summary_of(route)), "") << route.name << ": " << summary_of(route);
    const std::string about = description_of(route);
    EXPECT_TRUE(about.empty() || about.ends_with('.')) << route.name << ": " << about;
    EXPECT_EQ(about.find('{'), std::string::npos) << route.name << ": " << about;
  }
}

TEST(Descriptions, are_found_where_they_are_planted) {
  for (const std::string_view about :
       {"Who enters.", "Its name.", "Name.", "Whether it is on at all.", "What opens the database",
        "The proxy is told so.", "How it scales the service."}) {
    EXPECT_NE(fault_of("login", about), "") << about;
  }
  EXPECT_NE(fault_of("cloud_provider_name", "Cloud provider name."), "");
  EXPECT_EQ(fault_of("login", "User name of the administrator account."), "");
  for (const std::string_view summary :
       {"", "Deploys the service", "The state of the cluster", "Deploy a cluster.", "Deploy {one}"}) {
    EXPECT_NE(fault_of_summary(summary), "") << summary;
  }
  EXPECT_EQ(fault_of_summary("List the clusters of an organization"), "");
}

}  // namespace
}  // namespace orlop
