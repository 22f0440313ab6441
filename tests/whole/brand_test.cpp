// An engine with another brand: no name or value in an answer contains the default one.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "model/form.h"
#include "platform.h"
#include "sim/simulator.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Reports whether a name or value contains the brand; texts with spaces are prose for people.
bool carries(std::string_view text, std::string_view word) {
  const bool is_prose = text.find(' ') != std::string_view::npos;
  return !is_prose && lower_case(text).find(word) != std::string::npos;
}

void collect(const Value& value, const std::string& path, std::string_view word, std::vector<std::string>& found) {
  if (value.is_text() && carries(value.as_text(), word)) found.push_back(path + "=" + value.as_text());
  for (const Member& member : value.is_object() ? value.members() : Value::Object()) {
    const std::string below = path + "/" + std::string(member.name.view());
    if (carries(member.name.view(), word)) found.push_back(below);
    collect(member.value, below, word, found);
  }
  for (const Value& item : value.is_list() ? value.items() : Value::List()) collect(item, path + "[]", word, found);
}

class Brand : public testing::Test {
 protected:
  void open(std::string brand) {
    SimulationOptions options;
    options.engine.settings.brand = std::move(brand);
    options.start = {1'767'225'600'000};
    simulator_ = std::move(Simulator::open(std::move(options))).value();
    platform_ = std::make_unique<Platform>(simulator_->engine());
    platform_->make_all();
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    return platform_->ask(method, path, body);
  }

  void settle() { ASSERT_TRUE(simulator_->run_until_idle()); }

  // Returns the names and values in the answers of every GET that contain the brand.
  std::vector<std::string> answers_with(std::string_view word) {
    std::vector<std::string> found;
    for (const Route& route : all_routes()) {
      if (route.operation.method != Method::get) continue;
      const Reply reply = ask("GET", platform_->path_of(route));
      if (reply.status != 200) continue;
      if (const auto body = parse_stored(reply.body)) collect(*body, route.path, word, found);
    }
    return found;
  }

  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Platform> platform_;
};

TEST_F(Brand, reaches_every_name_of_an_answer) {
  open("harbour");
  auto templates = make_external_rule(
      "list_platform_templates", "",
      R"([{"key": "base", "version": "1", "status": "PUBLISHED", "description": "All.", "layers": [{"key": "core",
      "mandatory": true, "enabledByDefault": true, "modes": ["HARBOUR_MANAGED"], "providers": ["AWS"], )"
      R"("description": "Core.", "components": [{"key": "dns", "kind": "HELM", "description": "DNS.", "bindings": )"
      R"([], "fields": [
      {"key": "zone", "type": "string", "required": true, "label": "Zone", "description": "Zone.", "sensitive": )"
      R"(false, "constraints": {}}]}]}]}])",
      "", {}, 0, "harbour");
  ASSERT_TRUE(templates) << templates.error().message;
  simulator_->external_systems().add(std::move(*templates));
  const std::string cluster = "/cluster/" + platform_->id_of("cluster");
  const std::string organization = "/organization/" + platform_->id_of("organization");
  EXPECT_EQ(ask("POST", organization + cluster + "/deploy").status, 200);
  settle();
  const Reply bound =
      ask("PUT", organization + cluster + "/platformBinding", R"({"templateKey": "base", "templateVersion": "1"})");
  EXPECT_EQ(bound.status, 200) << bound.body;
  EXPECT_EQ(ask("POST", "/environment/" + platform_->id_of("environment") + "/deploy").status, 202);
  settle();
  EXPECT_EQ(answers_with("platform"), std::vector<std::string>());
  EXPECT_GE(answers_with("harbour").size(), 20U);
}

// Each value that contains the brand is accepted in the engine's spelling, and refused in another one.
TEST_F(Brand, is_that_of_values_in_requests) {
  open("harbour");
  const std::string cluster = "/cluster/" + platform_->id_of("cluster");
  const std::string organization = "/organization/" + platform_->id_of("organization");
  const auto provider = [](const std::string& name) {
    return R"({"dns_provider": {"provider": ")" + name + R"(", "domain": "apps.example.com"}})";
  };
  EXPECT_EQ(ask("PUT", cluster + "/dnsProvider", provider("HARBOUR")).status, 200);
  EXPECT_EQ(ask("PUT", cluster + "/dnsProvider", provider("{BRAND}")).status, 400);
  const Reply refused = ask("PUT", cluster + "/dnsProvider", provider("PLATFORM"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("must be one of HARBOUR, CLOUDFLARE, ROUTE53"), std::string::npos) << refused.body;
  EXPECT_EQ(ask("GET", organization + "/events?origin=HARBOUR_INTERNAL").status, 200);
  EXPECT_EQ(ask("GET", organization + "/events?origin=PLATFORM_INTERNAL").status, 400);
  EXPECT_EQ(ask("GET", organization + "/platformTemplate?clusterMode=PLATFORM_MANAGED").status, 400);
  EXPECT_EQ(ask("GET", organization + "/platformTemplate?clusterMode=HARBOUR_MANAGED").status, 501);
}

}  // namespace
}  // namespace orlop
