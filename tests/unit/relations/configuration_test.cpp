// The data that a driver receives besides the record of a step's subject.
#include "deploy/driver/configuration.h"

#include "unit/relations/stored.h"

namespace orlop::tests {
namespace {

class Configuration : public Stored {
 protected:
  Value configuration(const Id& subject) {
    Value made;
    run([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(record, unit.record(subject));
      SharedVariables shared;
      SecretValues secrets;
      ORLOP_TRY(text, configuration_of(unit, *record, nullptr, Value(), {&shared}, secrets));
      ORLOP_TRY(value, parse_stored(text));
      made = std::move(value);
      return {};
    });
    return made;
  }
  static std::string_view at(const Value& value, std::initializer_list<std::string_view> path) {
    const Value* found = value.find_path(path);
    return found == nullptr ? "-" : std::string_view(found->as_text());
  }
};

TEST_F(Configuration, HoldsWhatLiesAboveAService) {
  const Value made = configuration(services_[0]);
  EXPECT_EQ(at(made, {"environment", "name"}), "one");
  EXPECT_EQ(at(made, {"project", "name"}), "p");
  EXPECT_EQ(at(made, {"organization", "name"}), "o");
  EXPECT_EQ(at(made, {"cluster", "region"}), "eu-west-3");
  EXPECT_EQ(at(made, {"cluster", "cloud_provider"}), "AWS");
  EXPECT_EQ(at(configuration(services_[2]), {"environment", "name"}), "two");
}

TEST_F(Configuration, HoldsTheClustersCredentialsWithSecrets) {
  const Id credentials =
      make("aws_credentials", organization_,
           R"({"name": "keys", "type": "AWS_STATIC", "access_key_id": "a", "secret_access_key": "canary"})");
  edit(cluster_, R"({"name": "c", "region": "eu-west-3", "cloud_provider": "AWS", "cloud_provider_credentials": )"
                 R"({"cloud_provider": "AWS",
    "credentials": {"id": ")" +
                     to_text(credentials) + R"(", "name": "keys"}}})");
  EXPECT_EQ(at(configuration(services_[0]), {"cluster", "credentials", "secret_access_key"}), "canary");
  EXPECT_EQ(at(configuration(cluster_), {"cluster", "credentials", "secret_access_key"}), "canary");
  EXPECT_EQ(at(configuration(cluster_), {"organization", "name"}), "o");
}

TEST_F(Configuration, HoldsSettingsAndDomains) {
  const Value before = configuration(services_[0]);
  EXPECT_EQ(before.find_path({"advanced_settings", "build.timeout_max_sec"})->as_integer(), 1800);
  EXPECT_TRUE(before.find("domains")->items().empty());
  (void)make("custom_domain", services_[0], R"({"domain": "www.example.com", "generate_certificate": true})");
  const Value after = configuration(services_[0]);
  ASSERT_EQ(after.find("domains")->items().size(), 1U);
  EXPECT_EQ(after.find("domains")->items().front().text_or("domain", ""), "www.example.com");
  EXPECT_TRUE(configuration(services_[1]).find("domains")->items().empty());
}

TEST_F(Configuration, HoldsLabelsAnnotationsAndMetadata) {
  const Id labels =
      make("labels_group", organization_,
           R"({"name": "l", "labels": [{"key": "team", "value": "shop", "propagate_to_cloud_provider": true}]})");
  edit(services_[0],
       R"({"name": "a", "git_repository": {"url": "https://git.example/acme/shop.git", "provider": "GITHUB"}, )"
       R"("healthchecks": {},
    "labels_groups": [{"id": ")" +
           to_text(labels) + R"("}], "metadata": {"owner": "ada"}})");
  const Value made = configuration(services_[0]);
  ASSERT_NE(made.find("labels"), nullptr);
  ASSERT_EQ(made.find("labels")->items().size(), 1U);
  EXPECT_EQ(made.find("labels")->items().front().text_or("value", ""), "shop");
  EXPECT_EQ(made.find("annotations"), nullptr);
  EXPECT_EQ(at(made, {"metadata", "owner"}), "ada");
}

}  // namespace
}  // namespace orlop::tests
