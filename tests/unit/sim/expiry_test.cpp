// Expiry and waiting times in a simulation: environments, credentials, DNS records and certificates.
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unit/scratch.h"
#include "unit/sim/refusing_store.h"
#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Simulation;

constexpr std::int64_t hour = 3600;

class Expiry : public testing::Test {
 protected:
  Expiry() { simulation.furnish(); }
  void add(const std::string& what, const std::string& rule) {
    const Reply reply = simulation.ask("POST", "/-/sim/" + what, rule);
    ASSERT_EQ(reply.status, 204) << reply.body;
  }
  std::string refusal_of(const std::string& what, const std::string& rule) {
    const Reply reply = simulation.ask("POST", "/-/sim/" + what, rule);
    EXPECT_EQ(reply.status, 400) << reply.body;
    return std::string(parse_json(reply.body)->text_or("message", ""));
  }
  bool is_there(Simulation& platform) {
    return platform.ask("GET", "/environment/" + simulation.environment).status == 200;
  }
  void deploy() { ASSERT_LT(simulation.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 300); }
  void pass(std::int64_t count) { ASSERT_TRUE(simulation->advance(seconds(count)).ok()); }
  Simulation simulation;
};

TEST_F(Expiry, AnEnvironmentIsDeletedAtTheEndOfItsLifetime) {
  add("rules", R"({"environment":"prod*","lasts":"3h"})");
  pass(hour);
  deploy();
  const auto passed = simulation->run_until_idle();
  ASSERT_TRUE(passed.ok());
  EXPECT_LT(passed->passed.milliseconds, 3600 * 1000) << "it is no work that is under way";
  ASSERT_TRUE(simulation->advance(Duration{2 * hour * 1000 - passed->passed.milliseconds - 1}).ok());
  EXPECT_TRUE(is_there(simulation));
  ASSERT_TRUE(simulation->advance(Duration{1}).ok());
  EXPECT_FALSE(is_there(simulation)) << "three hours after its creation";
  EXPECT_EQ(simulation->snapshot().value().find("\"lifetimes\""), std::string::npos);
  EXPECT_NE(simulation.ask("GET", "/-/sim/rules").body.find(R"("matched":1,"applied":1)"), std::string::npos);
}

TEST_F(Expiry, OnlyOfEnvironmentsThatMatch) {
  add("rules", R"({"mode":"PREVIEW","lasts":"1h"})");
  deploy();
  pass(2 * hour);
  EXPECT_TRUE(is_there(simulation));
  add("rules", R"({"mode":"DEVELOPMENT","lasts":"1h"})");
  pass(0);
  EXPECT_FALSE(is_there(simulation)) << "its time is over already";
}

// The rule may be older or newer than the environment; nothing is ever requested.
TEST_F(Expiry, AnEnvironmentOfWhichNothingIsRequestedIsDeleted) {
  add("rules", R"({"environment":"preview-*","lasts":"2h"})");
  const std::string project =
      Simulation::text_in(simulation.ask("GET", "/organization/" + simulation.organization + "/project").body, "id");
  const std::string preview = simulation.make("/project/" + project + "/environment", R"({"name":"preview-1"})");
  const std::string clone =
      simulation.make("/environment/" + simulation.environment + "/clone", R"({"name":"preview-2"})");
  const auto count = [&] {
    return static_cast<int>(simulation.ask("GET", "/environment/" + preview).status == 200) +
           static_cast<int>(simulation.ask("GET", "/environment/" + clone).status == 200);
  };
  const std::string snapshot = simulation->snapshot().value();
  ASSERT_TRUE(simulation->advance(Duration{2 * hour * 1000 - 1}).ok());
  EXPECT_EQ(count(), 2);
  ASSERT_TRUE(simulation->advance(Duration{1}).ok());
  EXPECT_EQ(count(), 0);
  EXPECT_TRUE(is_there(simulation)) << "production is no preview";
  EXPECT_NE(simulation.ask("GET", "/-/sim/rules").body.find(R"("matched":2,"applied":2)"), std::string::npos)
      << "decided once for each";
  Simulation second(snapshot);
  ASSERT_TRUE(second->advance(seconds(2 * hour)).ok());
  EXPECT_EQ(second.ask("GET", "/environment/" + preview).status, 404);
  add("rules", R"({"environment":"production","lasts":"4h"})");
  pass(hour);
  EXPECT_TRUE(is_there(simulation));
  pass(hour);
  EXPECT_FALSE(is_there(simulation)) << "four hours after its creation";
}

// The rules are added after the store was opened: they apply to the environments in it.
TEST_F(Expiry, AFileThatIsOpenedAnewKnowsItsPreviews) {
  const std::string file = tests::scratch_file("expiry_test.db");
  std::string environment;
  {
    Simulation first({}, Authentication::off, file);
    environment = first.furnish();
  }
  Simulation second({}, Authentication::off, file);
  ASSERT_EQ(second.ask("PUT", "/-/sim/rules", R"({"rules":[{"environment":"prod*","lasts":"3h"}]})").status, 204);
  ASSERT_TRUE(second->advance(Duration{3 * hour * 1000 - 1}).ok());
  EXPECT_EQ(second.ask("GET", "/environment/" + environment).status, 200);
  ASSERT_TRUE(second->advance(Duration{1000}).ok());
  EXPECT_EQ(second.ask("GET", "/environment/" + environment).status, 404);
}

// The environment of a failed transaction does not exist, and the next one gets its id.
TEST(ExpiryOfAStoreThatFails, AnEnvironmentThatIsNotStoredHasNoLifetime) {
  const auto store = std::make_shared<tests::RefusingStore>();
  Simulation simulation({}, Authentication::off, "memory:", nullptr, store);
  simulation.furnish();
  ASSERT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"environment":"preview-*","lasts":"2h"})").status, 204);
  const std::string project =
      Simulation::text_in(simulation.ask("GET", "/organization/" + simulation.organization + "/project").body, "id");
  const std::string path = "/project/" + project + "/environment";
  store->refuse_at(1);
  Request request;
  request.method = "POST";
  request.path = path;
  request.body = R"({"name":"preview-1"})";
  request.trust = Trust::host;
  EXPECT_FALSE(simulation->dispatch(request).ok());
  ASSERT_NE(simulation->snapshot().value().find("\"lifetimes\""), std::string::npos)
      << "it was decided before it failed";
  const std::string kept = simulation.make(path, R"({"name":"lasting"})");
  ASSERT_TRUE(simulation->advance(seconds(3 * hour)).ok());
  EXPECT_EQ(simulation.ask("GET", "/environment/" + kept).status, 200);
}

TEST_F(Expiry, ALifetimeIsKeptInSnapshotsAndGoesBack) {
  add("rules", R"({"kind":"environment","lasts":"3h"})");
  deploy();
  pass(hour);
  const std::string snapshot = simulation->snapshot().value();
  const std::uint64_t here = simulation->save().value();
  const auto play = [&](Simulation& played) {
    EXPECT_TRUE(played->advance(seconds(2 * hour - 1)).ok());
    const bool before = is_there(played);
    EXPECT_TRUE(played->advance(seconds(1)).ok());
    return before && !is_there(played);
  };
  EXPECT_TRUE(play(simulation));
  ASSERT_TRUE(simulation->go_back(here).ok());
  EXPECT_TRUE(play(simulation));
  ASSERT_TRUE(simulation->load(snapshot).ok());
  EXPECT_TRUE(play(simulation));
  Simulation second(snapshot);
  const std::string again = second->snapshot().value();
  EXPECT_EQ(again.substr(again.find("{\"simulation\"")), snapshot.substr(snapshot.find("{\"simulation\"")));
  EXPECT_TRUE(play(second));
}

// The answer arrives at the instant of the deletion, whatever its delay.
TEST_F(Expiry, ADeletionThatIsNotAdmittedIsNotRepeated) {
  add("rules", R"({"kind":"environment","lasts":"3h"})");
  deploy();
  add("externals", R"({"question":"admit","answer":{"allowed":false,"reason":"a freeze"},"delay":"2s","times":1})");
  const auto before = simulation->engine().now();
  pass(3 * hour);
  EXPECT_EQ((simulation->engine().now() - before).milliseconds, 3 * hour * 1000);
  EXPECT_EQ(simulation.ask("GET", "/-/sim/externals").body, R"({"externals":[]})") << "it was asked";
  pass(3 * hour);
  EXPECT_TRUE(is_there(simulation));
}

TEST_F(Expiry, CredentialsExpireUntilTheyAreWritten) {
  const std::string below = "/organization/" + simulation.organization;
  const std::string credentials =
      simulation.make(below + "/aws/credentials", R"({"name":"aws","access_key_id":"A","secret_access_key":"hush"})");
  const std::string named = R"("cloud_provider_credentials":{"cloud_provider":"AWS","credentials":{"id":")" +
                            credentials + R"(","name":"aws"}})";
  const std::string cluster = simulation.make(
      below + "/cluster", R"({"name":"west","region":"eu-west-3","cloud_provider":"AWS",)" + named + "}");
  add("rules", R"({"rule":"expired","older":{"credentials":"12h"},"outcome":"credentials_refused"})");
  const auto state = [&] {
    EXPECT_LT(simulation.ask("POST", below + "/cluster/" + cluster + "/deploy").status, 300);
    EXPECT_TRUE(simulation->run_until_idle().ok());
    return Simulation::text_in(simulation.ask("GET", below + "/cluster/" + cluster + "/status").body, "status");
  };
  EXPECT_EQ(state(), "DEPLOYED");
  pass(12 * hour);
  EXPECT_EQ(state(), "INVALID_CREDENTIALS");
  ASSERT_LT(simulation
                .ask("PUT", below + "/aws/credentials/" + credentials,
                     R"({"name":"aws","access_key_id":"A","secret_access_key":"new"})")
                .status,
            300);
  EXPECT_EQ(state(), "DEPLOYED");
  pass(12 * hour - 60);
  EXPECT_EQ(state(), "DEPLOYED");
  pass(60);
  EXPECT_EQ(state(), "INVALID_CREDENTIALS");
  deploy();
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED") << "its cluster has no credentials";
}

TEST_F(Expiry, TheRegistryOfAServiceAndItsEnvironmentGrowOld) {
  const std::string job = simulation.make_job();
  add("rules", R"({"older":{"references":"2h"},"fails":"the token of the registry has expired"})");
  add("rules", R"({"step":"deploy","kind":"database","older":{"environment":"3h"},"fails":"too old"})");
  const auto states = [&] {
    deploy();
    EXPECT_TRUE(simulation->run_until_idle().ok());
    return simulation.state(job, "job") + " " + simulation.state(simulation.databases[0]);
  };
  EXPECT_EQ(states(), "DEPLOYED DEPLOYED");
  pass(2 * hour);
  EXPECT_EQ(states(), "DEPLOYMENT_ERROR DEPLOYED");
  pass(hour);
  EXPECT_EQ(states(), "CANCELED DEPLOYMENT_ERROR") << "databases go first";
}

class DomainsOfAService : public Expiry {
 protected:
  DomainsOfAService() {
    service = simulation.make_application();
    domain = simulation.make("/application/" + service + "/customDomain",
                             R"({"domain":"www.example.com","generate_certificate":true})");
  }
  std::string check(Simulation& platform) {
    const Reply reply = platform.ask("GET", "/application/" + service + "/checkCustomDomain");
    if (reply.status != 200) return std::to_string(reply.status);
    std::string text;
    const Value answer = parse_json(reply.body).value();
    for (const Value& checked : answer.find("results")->items()) {
      text += (text.empty() ? "" : "; ") + std::string(checked.text_or("domain_name", "")) + " " +
              std::string(checked.text_or("status", "")) + " " + std::string(checked.text_or("error_details", "ok"));
    }
    return text;
  }
  std::string check() { return check(simulation); }
  std::string service;
  std::string domain;
};

TEST_F(DomainsOfAService, HaveARecordAndACertificateAfterSomeTime) {
  EXPECT_EQ(check(), "501") << "no rule";
  add("domains", R"({"domain":"*.example.com","dns_after":"10m","certificate_after":"5m"})");
  EXPECT_EQ(check(), "www.example.com DOMAIN_NOT_CONFIGURED the DNS record of www.example.com is not known yet");
  pass(599);
  EXPECT_EQ(check(), "www.example.com DOMAIN_NOT_CONFIGURED the DNS record of www.example.com is not known yet");
  const std::string snapshot = simulation->snapshot().value();
  const std::uint64_t here = simulation->save().value();
  const auto play = [&](Simulation& played) {
    EXPECT_TRUE(played->advance(seconds(1)).ok());
    const std::string known = check(played);
    EXPECT_TRUE(played->advance(seconds(300)).ok());
    return known + ", " + check(played);
  };
  const std::string expected =
      "www.example.com MATCHES_LOAD_BALANCER_HOST the certificate of www.example.com is not issued yet, "
      "www.example.com MATCHES_LOAD_BALANCER_HOST ok";
  EXPECT_EQ(play(simulation), expected);
  add("domains", R"({"dns_after":"10h"})");
  ASSERT_TRUE(simulation->go_back(here).ok());
  EXPECT_EQ(play(simulation), expected) << "with the rules of then";
  Simulation second(snapshot);
  EXPECT_EQ(play(second), expected);
  ASSERT_LT(simulation
                .ask("PUT", "/application/" + service + "/customDomain/" + domain,
                     R"({"domain":"api.example.com","generate_certificate":false,"use_cdn":true})")
                .status,
            300);
  EXPECT_EQ(check(), "api.example.com DOMAIN_NOT_CONFIGURED the DNS record of api.example.com is not known yet")
      << "an edit begins anew";
  pass(600);
  EXPECT_EQ(check(), "api.example.com RESOLVES_TO_IP ok");
  ASSERT_EQ(simulation.ask("DELETE", "/-/sim/domains").status, 204);
  EXPECT_EQ(check(), "501");
}

TEST_F(DomainsOfAService, FailAsTheLastAddedRuleThatFitsSays) {
  simulation.make("/application/" + service + "/customDomain",
                  R"({"domain":"other.test","generate_certificate":true})");
  add("domains",
      R"({"domains":[{"certificate_fails":"the CAA record forbids it"},{"domain":"other.*","dns_fails":"it points )"
      R"(to 192.0.2.7","status":"DOMAIN_LINKED_TO_WRONG_HOST"},)"
      R"({"probability":0,"dns_fails":"never"}]})");
  EXPECT_EQ(check(),
            "www.example.com MATCHES_LOAD_BALANCER_HOST the CAA record forbids it; other.test "
            "DOMAIN_LINKED_TO_WRONG_HOST it points to 192.0.2.7");
  add("domains", R"({"dns_fails":"SERVFAIL"})");
  EXPECT_EQ(check(), "www.example.com GENERIC_FAILURE SERVFAIL; other.test GENERIC_FAILURE SERVFAIL");
  add("externals", R"({"question":"check_domains","answer":[],"times":1})");
  EXPECT_EQ(check(), "") << "a rule of the question goes before";
  EXPECT_EQ(check(), "www.example.com GENERIC_FAILURE SERVFAIL; other.test GENERIC_FAILURE SERVFAIL");
}

TEST_F(Expiry, RulesThatDoNotFitAreRefused) {
  for (const auto& [rule, message] : std::vector<std::pair<std::string, std::string>>{
           {R"({"older":{"credential":"12h"}})",
            "rule.older.credential is none of credentials, references and environment"},
           {R"({"older":[]})", "rule.older must be an object like {\"credentials\": \"12h\"}, not []"},
           {R"({"older":{"credentials":-1}})", "rule.older.credentials"},
           {R"({"older":{"credentials":"1h"},"queued":"1m"})",
            "rule.older must be left out where queued or parallel is given, not {\"credentials\":\"1h\"}: the rule is "
            "of requests, not of steps"},
           {R"({"lasts":"3h","after":"1m"})",
            "rule.after must be left out where lasts is given, not \"1m\": the rule is of environments, not of steps"},
           {R"({"lasts":"3h","kind":"cluster"})",
            "rule.kind must be environment where lasts is given, not \"cluster\""},
           {R"({"lasts":"3h","parallel":1})", "rule.lasts must be left out where queued or parallel is given"},
           {R"({"lasts":null})", "rule.lasts"},
           {R"({"lasts":""})", "rule.lasts"}}) {
    EXPECT_EQ(refusal_of("rules", rule).substr(0, message.size()), message);
  }
  for (const auto& [rule, message] : std::vector<std::pair<std::string, std::string>>{
           {R"([])", "the rule must be an object, not []"},
           {R"({"dns_afer":1})",
            "dns_afer is not a member of a rule of domains; the nearest known one is \"dns_after\""},
           {R"({"dns_after":null})", "dns_after"},
           {R"({"probability":2})", "probability must be a number of 0 to 1, not 2"},
           {R"({"status":"GENERIC_FAILURE"})", "dns_fails is required where status is given"},
           {R"({"dns_fails":"x","status":"BROKEN"})",
            "status must be DOMAIN_NOT_CONFIGURED, DOMAIN_LINKED_TO_WRONG_HOST or GENERIC_FAILURE, not \"BROKEN\""},
           {R"({"domains":[{},{"domain":""}]})", "domains[1].domain must be text of 1 to 1024 bytes, not \"\""},
           {R"({"domains":{}})", "domains must be a list of at most 10000 rules, not {}"},
           {R"({"dns_fails":")" + std::string(70'000, 'x') + "\"}", "dns_fails must be text of 1 to 1024 bytes"}}) {
    EXPECT_EQ(refusal_of("domains", rule).substr(0, message.size()), message);
  }
  EXPECT_EQ(simulation.ask("GET", "/-/sim/domains").body, R"({"domains":[]})");
}

}  // namespace
}  // namespace orlop
