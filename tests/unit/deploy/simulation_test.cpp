// Random scenarios: services, stages, rules, settings, requests, edits and recoveries, all from one seed. A failure
// prints the seed and the scenario in the form of a transcript. ORLOP_SEEDS sets the number of scenarios, ORLOP_SEED
// selects a single one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "unit/deploy/invariants.h"
#include "unit/deploy/script.h"
#include "unit/seeded_random.h"

namespace orlop {
namespace {

using tests::SeededRandom;

// The driver refuses the service "refused".
std::string service_name(std::uint64_t number) {
  return number == 7 ? "refused" : std::string(1, static_cast<char>('a' + number));
}

std::string random_service(SeededRandom& random, std::uint64_t number) {
  const std::string family =
      random.one_of({"container", "application", "database", "job", "terraform", "helm", "argocd_app"});
  std::string line = "service " + service_name(number) + " " + family + " stage=" + random.number(3);
  if (family == "job") line += " " + random.one_of({"on_start", "on_stop", "on_delete", "cron", "on_start on_delete"});
  if (random.in(3)) line += " builds";
  if (random.in(8)) line += " skipped";
  return line + "\n";
}

std::string random_rule(SeededRandom& random, std::uint64_t services) {
  const bool is_of_cluster = random.in(6);
  std::string line = "rule ";
  if (is_of_cluster) {
    line += "main " + random.one_of({"*", "cluster_create", "cluster_update", "cluster_upgrade", "cluster_dry_run",
                                     "cluster_stop"});
    if (random.in(4)) line += " refuse";
  } else {
    line += (random.in(3) ? std::string("*") : service_name(random.below(services))) + " ";
    line += random.one_of({"*", "build", "deploy", "execute", "stop", "restart", "delete"});
  }
  line += " start=" + random.number(3) + " duration=" + random.number(20) + " cancel=" + random.number(90);
  if (random.in(4)) line += " jitter=" + random.number(10);
  if (random.in(4)) line += " fail=because";
  if (random.in(10)) line += " hang";
  if (random.in(6)) line += " lost=" + random.number(10);
  if (random.in(6)) line += " back=" + random.number(20);
  if (random.in(5)) line += " says=" + random.number(10) + ":word";
  if (random.in(5)) line += " attempt=" + std::to_string(1 + random.below(3));
  if (random.in(4)) line += " running=" + random.one_of({"RUNNING", "ERROR"});
  if (random.in(5)) line += " outputs=" + random.one_of({"{\"HOST\":\"a\"}", "{\"PORT\":\"1\"}", "none"});
  return line + "\n";
}

std::string random_request(SeededRandom& random, std::uint64_t services) {
  switch (random.below(15)) {
    case 0: return "cancel";
    case 1: return "cancel force";
    case 2: return "touch " + service_name(random.below(services));
    case 3: return "cluster " + random.one_of({"deploy", "stop", "upgrade", "dry_run", "cancel", "restart"});
    case 4: return "cancel_request " + std::to_string(1 + random.below(3));
    case 5: return "edit " + service_name(random.below(services));
    case 6:
      return "become " + service_name(random.below(services)) + " " +
             random.one_of({"", "builds", "on_start", "on_delete", "cron"});
    case 7:
      return "deploy " + service_name(random.below(services)) +
             " force=" + random.one_of({"START", "STOP", "DELETE", "CRON"});
    default: break;
  }
  std::string line =
      random.one_of({"deploy", "deploy", "deploy", "deploy", "stop", "restart", "delete", "uninstall"}) + " ";
  if (random.in(2)) {
    line += random.in(8) || !line.starts_with("delete") ? "all" : service_name(0);
  } else {
    line += service_name(random.below(services));
    if (random.in(3)) line += "," + service_name(random.below(services));
  }
  return line + " by=" + random.one_of({"ann", "bob"});
}

std::string random_fixture(std::uint64_t seed) {
  SeededRandom random(seed);
  const std::uint64_t services = 1 + random.below(8);
  std::string text = "settings builds=" + std::to_string(1 + random.below(3)) +
                     " deploys=" + std::to_string(1 + random.below(4)) + " deadline=" + (random.in(3) ? "20" : "60") +
                     " cancel_deadline=25" + (random.in(2) ? " acts_come_first" : "") +
                     (random.in(6) ? " busy=reject" : "") + "\n";
  for (std::uint64_t service = 0; service < services; ++service) text += random_service(random, service);
  for (std::uint64_t rule = random.below(6); rule > 0; --rule) text += random_rule(random, services);
  std::uint64_t at = 0;
  for (std::uint64_t request = 1 + random.below(16); request > 0; --request) {
    text += "at " + std::to_string(at) + " " + random_request(random, services) + "\n";
    at += random.in(3) ? 0 : random.below(25);
  }
  return text;
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Returns false if the scenario broke a rule.
bool try_fixture(std::uint64_t seed) {
  const std::string text = random_fixture(seed);
  const std::string about = "seed " + std::to_string(seed) + "\n" + text;
  Script script = parse_script(text);
  script.options.seed = seed;
  Fixture uncut(script.options);
  std::vector<std::string> refusals;
  play(uncut, script, refusals);
  EXPECT_EQ(broken_rule(uncut, script), "") << about;
  const std::string expected = everything(uncut);
  SeededRandom random(~seed);
  for (int cut = 0; cut < 4; ++cut) {
    script.options.crash_after = 1 + random.below(uncut.commits());
    Fixture again(script.options);
    std::vector<std::string> refused;
    play(again, script, refused);
    EXPECT_EQ(everything(again), expected) << "recovery after commit " << script.options.crash_after << ", " << about;
    EXPECT_EQ(refused, refusals) << about;
    EXPECT_EQ(different_configuration(uncut, again), "") << about;
    EXPECT_EQ(broken_rule(again, script), "") << about;
    if (testing::Test::HasFailure()) return false;
  }
  return true;
}

TEST(Simulation, KeepsItsRulesInEveryScenario) {
  const std::uint64_t only = number_from("ORLOP_SEED", 0);
  if (only != 0) {
    try_fixture(only);
    return;
  }
  const std::uint64_t seeds = number_from("ORLOP_SEEDS", 400);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (!try_fixture(seed)) return;
  }
}

}  // namespace
}  // namespace orlop
