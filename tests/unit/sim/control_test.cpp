// A simulation that is controlled by requests: rules, clock, held steps, crashes and snapshots.
#include "sim/control.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/sim/simulation.h"

namespace orlop {
namespace {

using tests::Simulation;

TEST(Control, RulesAreAddedReadReplacedAndRemoved) {
  Simulation simulation;
  EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"rule":"slow","step":"deploy","after":"90s"})").status, 204);
  EXPECT_EQ(
      simulation.ask("GET", "/-/sim/rules").body,
      R"({"rules":[{"rule":"slow","step":"deploy","after":"90s","matched":0,"applied":0}],"transitions":{},"pack":)"
      R"(null})");
  EXPECT_EQ(simulation.ask("PUT", "/-/sim/rules", R"({"pack":"chaos"})").status, 204);
  EXPECT_EQ(simulation.ask("GET", "/-/sim/rules").body, R"({"rules":[],"transitions":{},"pack":"chaos"})");
  EXPECT_EQ(simulation.ask("DELETE", "/-/sim/rules").status, 204);
  const Reply refused = simulation.ask("POST", "/-/sim/rules", R"({"step":"deploi"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("rule.step must be the name of a kind of step"), std::string::npos);
  const Reply nothing = simulation.ask("POST", "/-/sim/state", R"({"resource":"web","hold":true})");
  EXPECT_NE(
      nothing.body.find(
          R"(resource must be the id of a service, cluster, task, environment or deployment request, not \"web\")"),
      std::string::npos);
  EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", "{").status, 400);
  EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", "").status, 400);
}

TEST(Control, AViolationNamesTheMember) {
  Simulation simulation;
  const auto expect = [&](std::string_view what, std::string_view body, const std::string& violation) {
    const Reply refused = simulation.ask("POST", "/-/sim/" + std::string(what), body);
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.body.find(R"("violations":[{"field":")" + violation), std::string::npos) << refused.body;
  };
  expect("rules", R"({"rules":[{},{"after":true}]})", R"(rules[1].after","reason":"must be a duration)");
  expect("rules", R"({"stpe":"deploy"})", R"(rule.stpe","reason":"is not a member of a rule)");
  expect("state", R"({"resource":"web","hold":true})", R"(resource","reason":"must be the id of)");
  expect("rules", R"({"rules":[{"the step":"deploy"}]})", R"(rules[0].the step","reason":"is not a member of a rule)");
  expect("rules", R"({"transitions":{"cluster":"never"}})", R"(transitions.cluster","reason":"must be immediate)");
  expect("faults", R"({"faults":[{"status":200}]})", R"(faults[0].status","reason":"must be a whole number)");
  expect("externals", R"({"externals":[{"question":"what","error":"e"}]})",
         R"(externals[0].question","reason":"must be the name of a question)");
  expect("externals", R"({"externals":[3]})", R"(externals[0]","reason":"must be an object)");
  expect("domains", R"({"status":"LATE"})", R"(status","reason":"must be DOMAIN_NOT_CONFIGURED)");
  expect("sources", R"({"image":""})", R"(image","reason":"must be text)");
  expect("record", R"({"record":"some"})", R"(","reason":"the body must be)");
  expect("clock", "{}", R"(","reason":"the body must be)");
}

TEST(Control, FaultsAnswerDelayAndDrop) {
  Simulation simulation;
  const auto fault = [&](std::string_view json) {
    EXPECT_EQ(simulation.ask("POST", "/-/sim/faults", json).status, 204) << json;
  };
  fault(R"({"operation":"list_organization*","status":503,"nth":2})");
  fault(R"({"operation":"create_organization","drop":true,"times":1})");
  const std::string body = R"({"name":"acme","plan":"FREE"})";
  EXPECT_EQ(simulation.ask("POST", "/organization", body).status, 444);
  EXPECT_EQ(simulation.ask("POST", "/organization", body).status, 409);  // the first request took effect
  std::vector<int> statuses;
  for (int read = 0; read < 4; ++read) statuses.push_back(simulation.ask("GET", "/organization").status);
  EXPECT_EQ(statuses, (std::vector<int>{200, 503, 200, 503}));
  EXPECT_EQ(
      simulation.ask("GET", "/-/sim/faults").body,
      R"({"faults":[{"operation":"list_organization*","status":503,"nth":2,"matched":4,"applied":2},{"operation":)"
      R"("create_organization","drop":true,"times":1,"matched":1,"applied":1}]})");
  EXPECT_EQ(simulation.ask("DELETE", "/-/sim/faults").status, 204);
  const Instant before = simulation->engine().now();
  fault(R"({"latency":"3s"})");
  EXPECT_EQ(simulation.ask("GET", "/organization").status, 200);
  EXPECT_EQ(simulation->engine().now(), before + seconds(3));
}

TEST(Control, FaultsFollowFromTheSeedAcrossASnapshot) {
  const auto statuses = [](Simulation& simulation, int count) {
    std::string found;
    for (int read = 0; read < count; ++read) found += simulation.ask("GET", "/organization").status == 200 ? '.' : 'x';
    return found;
  };
  Simulation whole;
  whole.make("/-/sim/faults", R"({"status":500,"probability":0.4})");
  const std::string before = statuses(whole, 20);
  Simulation restored(whole.ask("GET", "/-/sim/snapshot").body);
  const std::string after = statuses(whole, 40);
  EXPECT_EQ(statuses(restored, 40), after);
  EXPECT_NE(before + after, std::string(60, '.'));
  EXPECT_NE(before + after, std::string(60, 'x'));
}

TEST(Control, AWrongFaultIsNamed) {
  Simulation simulation;
  const auto refusal = [&](std::string_view json) {
    const std::string body = simulation.ask("POST", "/-/sim/faults", json).body;
    const std::size_t found = body.find("\"message\":\"") + 11;
    return body.substr(found, body.find("\",\"detail\"") - found);
  };
  EXPECT_EQ(refusal("{}"), "fault must have a status, a latency, drop, stale or unknown_enum");
  EXPECT_EQ(refusal(R"({"status":200})"), "fault.status must be a whole number of 400 to 599, not 200");
  EXPECT_EQ(refusal(R"({"statsu":500})"),
            R"(fault.statsu is not a member of a fault; the nearest known one is \"status\")");
  EXPECT_EQ(refusal(R"({"faults":[{"drop":true},{"drop":1}]})"), "faults[1].drop must be true or false, not 1");
  EXPECT_EQ(refusal(R"({"status":500,"drop":true})"),
            "fault.status must be left out where drop is true: the request is carried out, not 500");
  EXPECT_EQ(refusal(R"({"status":500,"probability":-1})"), "fault.probability must be a number of 0 to 1, not -1");
  EXPECT_EQ(simulation.ask("GET", "/-/sim/faults").body, R"({"faults":[]})");
}

TEST(Control, TheClockMovesByRequests) {
  Simulation simulation;
  EXPECT_EQ(simulation.ask("GET", "/-/sim/clock").body, R"({"now":"2026-01-01T00:00:00.000Z","passed_ms":0})");
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"advance":"2h"})").body,
            R"({"now":"2026-01-01T02:00:00.000Z","passed_ms":7200000})");
  const std::string environment = simulation.furnish();
  simulation.make("/-/sim/rules", R"({"step":"deploy","after":"90s"})");
  simulation.make("/environment/" + environment + "/deploy", "");
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"until_idle":true})").body,
            R"({"now":"2026-01-01T02:01:30.000Z","passed_ms":90000,"end":"idle"})");
  for (const char* body : {"{}", "[]", R"({"advance":"-2h"})", R"({"advance":null})", R"({"until_idle":false})",
                           R"({"advance":"1s","until_idle":true})"}) {
    EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", body).status, 400) << body;
  }
}

TEST(Control, TheClockMovesUntilADeploymentHasEnded) {
  Simulation simulation;
  const std::string environment = simulation.furnish();
  simulation.make("/-/sim/rules", R"({"step":"deploy","after":"90s"})");
  simulation.make("/environment/" + environment + "/deploy", "");
  const std::string status = simulation.ask("GET", "/environment/" + environment + "/status").body;
  const std::string request = status.substr(status.find("\"deployment_request_id\":\"") + 25, 36);
  const auto until_ended = [&](const std::string& more) {
    return simulation.ask("POST", "/-/sim/clock", R"({"until_ended":")" + request + "\"" + more + "}").body;
  };
  EXPECT_EQ(until_ended(R"(,"timeout":"1m")"), R"({"now":"2026-01-01T00:01:00.000Z","passed_ms":60000,"end":"late"})");
  EXPECT_EQ(until_ended(""), R"({"now":"2026-01-01T00:01:30.000Z","passed_ms":30000,"end":"ended"})");
  EXPECT_EQ(until_ended(""), R"({"now":"2026-01-01T00:01:30.000Z","passed_ms":0,"end":"ended"})");

  simulation.make("/-/sim/state", R"({"hold":true,"resource":")" + environment + "\"}");
  simulation.make("/environment/" + environment + "/redeploy", "");
  const std::string held = simulation.ask("GET", "/environment/" + environment + "/status").body;
  const std::string waiting = held.substr(held.find("\"deployment_request_id\":\"") + 25, 36);
  EXPECT_NE(waiting, request);
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"until_ended":")" + waiting + "\"}").body,
            R"({"now":"2026-01-01T00:01:30.000Z","passed_ms":0,"end":"idle"})");

  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"until_ended":")" + environment + "\"}").status, 404);
  for (const char* body : {R"({"until_ended":null})", R"({"until_ended":""})", R"({"until_ended":true})",
                           R"({"timeout":"1m"})", R"({"advance":"1s","timeout":"1m"})"}) {
    EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", body).status, 400) << body;
  }
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"until_ended":")" + request + R"(","timeout":"never"})").status,
            400);
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"until_ended":")" + request + R"(","wait":"1m"})").status, 400);
}

TEST(Control, AnswersOnlyItsPathsAndMethods) {
  Simulation simulation;
  EXPECT_EQ(simulation.ask("GET", "/-/sim/nothing").status, 404);
  EXPECT_EQ(simulation.ask("GET", "/-/sim").status, 404);
  EXPECT_EQ(simulation.ask("GET", "/-/simulation").status, 404);
  const Reply refused = simulation.ask("PATCH", "/-/sim/rules");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.back().second, "GET, POST, PUT, DELETE");
}

TEST(Control, NeedsCredentialsWhereTheInterfaceDoes) {
  Simulation simulation({}, Authentication::required);
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"advance":"2h"})", Trust::outside).status, 401);
  EXPECT_EQ(simulation.ask("GET", "/-/sim/snapshot", "", Trust::outside).status, 401);
  EXPECT_EQ(simulation->engine().now(), Instant{1'767'225'600'000});
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"advance":"2h"})").status, 200);
}

TEST(Control, AManualStepEndsWhenItIsAdvanced) {
  Simulation simulation;
  const std::string environment = simulation.furnish();
  simulation.make("/-/sim/rules", R"({"transitions":{"database":"manual"}})");
  simulation.make("/environment/" + environment + "/deploy", "");
  EXPECT_EQ(simulation.ask("POST", "/-/sim/clock", R"({"advance":"30m"})").status, 200);
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  EXPECT_EQ(simulation.ask("POST", "/-/sim/state", R"({"resource":")" + simulation.databases[0] + "\"}").status, 204);
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
  EXPECT_EQ(simulation.state(simulation.databases[1]), "DEPLOYING");
  EXPECT_EQ(simulation.ask("POST", "/-/sim/state", R"({"resource":")" + simulation.databases[0] + "\"}").status, 409);
  for (const char* body :
       {"{}", R"({"resource":"x"})", R"({"resource":null})", R"({"resource":"x","state":"y"})", "[]"}) {
    EXPECT_EQ(simulation.ask("POST", "/-/sim/state", body).status, 400) << body;
  }
}

TEST(Control, AStepEndsAfterSoManyReads) {
  Simulation simulation;
  const std::string environment = simulation.furnish();
  simulation.make("/-/sim/rules", R"({"transitions":{"database":"after 3 reads"}})");
  simulation.make("/environment/" + environment + "/deploy", "");
  std::vector<std::string> states;
  for (int read = 0; read < 5; ++read) states.push_back(simulation.state(simulation.databases[1]));
  EXPECT_EQ(states, (std::vector<std::string>{"DEPLOYMENT_QUEUED", "DEPLOYING", "DEPLOYING", "DEPLOYED", "DEPLOYED"}));
}

// Continues a run from a snapshot in its middle.
TEST(Control, ASnapshotGoesOnAsTheSimulation) {
  const auto begin = [](Simulation& simulation) {
    const std::string environment = simulation.furnish();
    simulation.make("/-/sim/rules",
                    R"({"rules":[{"step":"deploy","name":"orders","times":1,"after":"1m","crash_after":"1h"},
      {"step":"deploy","name":"stock","after":{"distribution":"lognormal","median":"5m","sigma":0.5}}],)"
                    R"("transitions":{"container":"manual"}})");
    simulation.make("/environment/" + environment + "/deploy", "");
    simulation.make("/-/sim/clock", R"({"advance":"90s"})");
    simulation.make("/-/sim/rules", R"({"name":"stock","after":"1s"})");
  };
  Simulation whole;
  begin(whole);
  const std::string snapshot = whole.ask("GET", "/-/sim/snapshot").body;
  EXPECT_NE(snapshot.find("{\"simulation\":{\"rules\":{"), std::string::npos);
  whole.make("/-/sim/clock", R"({"advance":"3h"})");
  EXPECT_NE(whole.events().find("ERROR"), std::string::npos);

  Simulation restored(snapshot);
  restored.make("/-/sim/clock", R"({"advance":"3h"})");
  EXPECT_EQ(restored.events(), whole.events());
  EXPECT_EQ(restored.ask("GET", "/-/sim/rules").body, whole.ask("GET", "/-/sim/rules").body);
}

TEST(Control, ASnapshotKeepsWhatIsHeld) {
  Simulation whole;
  const std::string environment = whole.furnish();
  whole.make("/-/sim/rules", R"({"transitions":{"database":"after 3 reads"}})");
  whole.make("/environment/" + environment + "/deploy", "");
  for (int read = 0; read < 2; ++read) whole.state(whole.databases[0]);
  Simulation restored(whole.ask("GET", "/-/sim/snapshot").body);
  restored.make("/-/sim/clock", R"({"advance":"0s"})");
  EXPECT_EQ(restored.state(whole.databases[0]), "DEPLOYING");
  EXPECT_EQ(restored.state(whole.databases[0]), "DEPLOYED");
}

// After the simulation has gone back, another rule may decide that a held step ended before it was held: the hold ends.
TEST(Control, AStepThatEndsIsHeldNoLonger) {
  Simulation simulation;
  simulation.furnish();
  simulation.make("/-/sim/rules", R"({"step":"deploy","outcome":"hang"})");
  simulation.ask("POST", "/database/" + simulation.databases[0] + "/deploy");
  simulation.ask("POST", "/-/sim/clock", R"({"advance":"100s"})");
  const std::string resource = R"({"resource":")" + simulation.databases[0] + "\"";
  EXPECT_EQ(simulation.ask("POST", "/-/sim/state", resource + R"(,"hold":true})").status, 204);
  EXPECT_EQ(simulation.ask("PUT", "/-/sim/snapshot", simulation.ask("GET", "/-/sim/snapshot").body).status, 204);
  simulation.make("/-/sim/rules", R"({"step":"deploy","after":"10s","crash_after":"1h"})");
  simulation.ask("POST", "/-/sim/clock", R"({"advance":"1s"})");
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
  EXPECT_EQ(simulation.ask("POST", "/-/sim/state", resource + "}").status, 409) << "nothing of it is held";
  EXPECT_EQ(simulation.ask("GET", "/-/sim/snapshot").status, 200);
}

TEST(Control, ACrashIsForgottenWhenTheServiceIsDeployedAgain) {
  Simulation simulation;
  const std::string environment = simulation.furnish();
  simulation.make("/-/sim/rules",
                  R"({"step":"deploy","name":"orders","running":"RUNNING","crash_after":"1h","times":1})");
  simulation.make("/-/sim/rules", R"({"step":"deploy","name":"stock","crash_after":"1h"})");
  simulation.make("/environment/" + environment + "/deploy", "");
  simulation.make("/-/sim/clock", R"({"advance":"30m"})");
  simulation.make("/database/" + simulation.databases[0] + "/deploy", "");
  simulation.make("/-/sim/clock", R"({"advance":"2h"})");
  const std::string events = simulation.events();
  std::size_t crashes = 0;
  for (std::size_t at = events.find("\"ERROR\""); at != std::string::npos; at = events.find("\"ERROR\"", at + 1))
    ++crashes;
  EXPECT_EQ(crashes, 1U);
}

TEST(Control, TheLogOfAStepNamesItsRule) {
  Simulation simulation;
  const std::string environment = simulation.furnish();
  simulation.make("/-/sim/rules", R"({"rule":"flaky registry","step":"deploy","fails":"no route"})");
  simulation.make("/environment/" + environment + "/deploy", "");
  simulation.make("/-/sim/clock", R"({"until_idle":true})");
  EXPECT_NE(simulation.events().find(R"(the rule \"flaky registry\" decides about this step)"), std::string::npos);
}

}  // namespace
}  // namespace orlop
