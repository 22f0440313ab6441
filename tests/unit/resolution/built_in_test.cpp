// Built-in variables: keys, values, and ids from which the owner is found.
#include "resolution/built_in.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace orlop {
namespace {

const Id service = parse_id("019a6b2c-8f00-7abc-8123-456789abcdef").value();

std::vector<std::string> shown(const std::vector<BuiltIn>& built_ins) {
  std::vector<std::string> texts;
  for (const BuiltIn& made : built_ins)
    texts.push_back(made.key + "=" + made.value + (made.is_secret ? " (secret)" : ""));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(BuiltIns, of_a_project_name_its_id_to_the_driver_only) {
  std::vector<BuiltIn> made;
  add_project_built_ins(made, "platform", service);
  EXPECT_EQ(shown(made), Texts{"PLATFORM_PROJECT_ID=||Q_PRJ_ID||"});
  EXPECT_EQ(made.front().step_value, to_text(service));
}

TEST(BuiltIns, of_an_environment) {
  std::vector<BuiltIn> made;
  add_environment_built_ins(made, "acme", {service, "production", "shop", service, "Acme", "eu-west-3", "main"});
  EXPECT_EQ(shown(made),
            (Texts{"ACME_ORGANIZATION_ID=" + to_text(service), "ACME_ORGANIZATION_NAME=Acme", "ACME_PROJECT_NAME=shop",
                   "ACME_ENVIRONMENT_ID=" + to_text(service), "ACME_ENVIRONMENT_NAME=production",
                   "ACME_CLOUD_PROVIDER_REGION=eu-west-3", "ACME_KUBERNETES_CLUSTER_NAME=main"}));
}

TEST(BuiltIns, of_services) {
  const auto of = [](ServiceFacts facts) {
    std::vector<BuiltIn> made;
    facts.service = service;
    add_service_built_ins(made, "platform", facts);
    return shown(made);
  };
  EXPECT_EQ(of({.kind = "CONTAINER"}), Texts{"PLATFORM_CONTAINER_Z019A6B2C_HOST_INTERNAL=app-z019a6b2c"});
  EXPECT_EQ(of({.kind = "APPLICATION", .has_public_port = true, .public_host = "api.example.com"}),
            (Texts{"PLATFORM_APPLICATION_Z019A6B2C_HOST_INTERNAL=app-z019a6b2c",
                   "PLATFORM_APPLICATION_Z019A6B2C_HOST_EXTERNAL=api.example.com"}));
  EXPECT_EQ(of({.kind = "HELM"}), Texts{"PLATFORM_HELM_Z019A6B2C_HOST_INTERNAL=helm-z019a6b2c"});
  EXPECT_EQ(of({.kind = "JOB"}), Texts{});
  EXPECT_EQ(
      of({.kind = "DATABASE",
          .engine = "POSTGRESQL",
          .host = "db.internal",
          .port = 5432,
          .login = "postgres",
          .password = "pw"}),
      (Texts{
          "PLATFORM_POSTGRESQL_Z019A6B2C_HOST_INTERNAL=z019a6b2c-postgresql",
          "PLATFORM_POSTGRESQL_Z019A6B2C_HOST=db.internal", "PLATFORM_POSTGRESQL_Z019A6B2C_PORT=5432",
          "PLATFORM_POSTGRESQL_Z019A6B2C_LOGIN=postgres", "PLATFORM_POSTGRESQL_Z019A6B2C_PASSWORD=pw (secret)",
          "PLATFORM_POSTGRESQL_Z019A6B2C_DATABASE_URL=postgresql://postgres:pw@db.internal:5432/postgres (secret)"}));
}

TEST(BuiltIns, WriteCredentialsIntoAUrlAsPartsOfIt) {
  std::vector<BuiltIn> built_ins;
  add_service_built_ins(built_ins, "platform",
                        {.service = service,
                         .kind = "DATABASE",
                         .engine = "POSTGRESQL",
                         .host = "db.internal",
                         .port = 5432,
                         .login = "ad min",
                         .password = "p@ss:w/rd?#%é~"});
  EXPECT_EQ(built_ins.back().value, "postgresql://ad%20min:p%40ss%3Aw%2Frd%3F%23%25%C3%A9~@db.internal:5432/ad%20min");
}

TEST(BuiltIns, have_ids_that_lead_back) {
  std::set<std::string> prefixes = {to_text(service).substr(0, 8)};
  for (std::uint8_t number = 1; number <= built_in_kind_max; ++number) {
    const auto kind = static_cast<BuiltInKind>(number);
    const Id id = built_in_id(service, kind);
    EXPECT_EQ(built_in_owner(id, kind), service);
    EXPECT_TRUE(prefixes.insert(to_text(id).substr(0, 8)).second);
  }
}

}  // namespace
}  // namespace orlop
