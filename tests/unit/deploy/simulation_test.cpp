// Worlds at random: services, stages, rules, settings, wishes, edits and losses of memory, all from one seed. A failure names the seed and
// shows the scenario as a transcript would hold it. ORLOP_SEEDS says how many worlds, ORLOP_SEED which one only.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/seeded_entropy.h"
#include "unit/deploy/invariants.h"
#include "unit/deploy/script.h"

namespace orlop {
namespace {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : source_(seed) {}

  // 0 to bound - 1.
  std::uint64_t below(std::uint64_t bound) { return source_.draw(0, index_++) % bound; }
  bool in(std::uint64_t count) { return below(count) == 0; }
  template <std::size_t Size>
  std::string one_of(const char* const (&words)[Size]) { return words[below(Size)]; }
  std::string number(std::uint64_t bound) { return std::to_string(below(bound)); }

 private:
  SeededEntropy source_;
  std::uint64_t index_ = 0;
};

// The driver refuses the one that is named so.
std::string service_name(std::uint64_t number) { return number == 7 ? "refused" : std::string(1, static_cast<char>('a' + number)); }

std::string random_service(Chance& chance, std::uint64_t number) {
  const std::string family = chance.one_of({"container", "application", "database", "job", "terraform", "helm", "argocd_app"});
  std::string line = "service " + service_name(number) + " " + family + " stage=" + chance.number(3);
  if (family == "job") line += " " + chance.one_of({"on_start", "on_stop", "on_delete", "cron", "on_start on_delete"});
  if (chance.in(3)) line += " builds";
  if (chance.in(8)) line += " skipped";
  return line + "\n";
}

std::string random_rule(Chance& chance, std::uint64_t services) {
  const bool is_of_cluster = chance.in(6);
  std::string line = "rule ";
  if (is_of_cluster) {
    line += "main " + chance.one_of({"*", "cluster_create", "cluster_update", "cluster_upgrade", "cluster_dry_run", "cluster_stop"});
    if (chance.in(4)) line += " refuse";
  } else {
    line += (chance.in(3) ? std::string("*") : service_name(chance.below(services))) + " ";
    line += chance.one_of({"*", "build", "deploy", "execute", "stop", "restart", "delete"});
  }
  line += " start=" + chance.number(3) + " duration=" + chance.number(20) + " cancel=" + chance.number(90);
  if (chance.in(4)) line += " jitter=" + chance.number(10);
  if (chance.in(4)) line += " fail=because";
  if (chance.in(10)) line += " hang";
  if (chance.in(6)) line += " lost=" + chance.number(10);
  if (chance.in(6)) line += " back=" + chance.number(20);
  if (chance.in(5)) line += " says=" + chance.number(10) + ":word";
  if (chance.in(5)) line += " attempt=" + std::to_string(1 + chance.below(3));
  if (chance.in(4)) line += " running=" + chance.one_of({"RUNNING", "ERROR"});
  if (chance.in(5)) line += " outputs=" + chance.one_of({"{\"HOST\":\"a\"}", "{\"PORT\":\"1\"}", "none"});
  return line + "\n";
}

std::string random_wish(Chance& chance, std::uint64_t services) {
  switch (chance.below(15)) {
    case 0: return "cancel";
    case 1: return "cancel force";
    case 2: return "touch " + service_name(chance.below(services));
    case 3: return "cluster " + chance.one_of({"deploy", "stop", "upgrade", "dry_run", "cancel", "restart"});
    case 4: return "cancel_request " + std::to_string(1 + chance.below(3));
    case 5: return "edit " + service_name(chance.below(services));
    case 6:
      return "become " + service_name(chance.below(services)) + " " + chance.one_of({"", "builds", "on_start", "on_delete", "cron"});
    case 7:
      return "deploy " + service_name(chance.below(services)) + " force=" + chance.one_of({"START", "STOP", "DELETE", "CRON"});
    default: break;
  }
  std::string line = chance.one_of({"deploy", "deploy", "deploy", "deploy", "stop", "restart", "delete", "uninstall"}) + " ";
  if (chance.in(2)) {
    line += chance.in(8) || !line.starts_with("delete") ? "all" : service_name(0);
  } else {
    line += service_name(chance.below(services));
    if (chance.in(3)) line += "," + service_name(chance.below(services));
  }
  return line + " by=" + chance.one_of({"ann", "bob"});
}

std::string random_world(std::uint64_t seed) {
  Chance chance(seed);
  const std::uint64_t services = 1 + chance.below(8);
  std::string text = "settings builds=" + std::to_string(1 + chance.below(3)) + " deploys=" + std::to_string(1 + chance.below(4)) +
                     " deadline=" + (chance.in(3) ? "20" : "60") + " cancel_deadline=25" + (chance.in(2) ? " acts_come_first" : "") + (chance.in(6) ? " busy=reject" : "") + "\n";
  for (std::uint64_t service = 0; service < services; ++service) text += random_service(chance, service);
  for (std::uint64_t rule = chance.below(6); rule > 0; --rule) text += random_rule(chance, services);
  std::uint64_t at = 0;
  for (std::uint64_t wish = 1 + chance.below(16); wish > 0; --wish) {
    text += "at " + std::to_string(at) + " " + random_wish(chance, services) + "\n";
    at += chance.in(3) ? 0 : chance.below(25);
  }
  return text;
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// False if the world broke a rule.
bool try_world(std::uint64_t seed) {
  const std::string text = random_world(seed);
  const std::string about = "seed " + std::to_string(seed) + "\n" + text;
  Script script = parse_script(text);
  script.options.seed = seed;
  World uncut(script.options);
  std::vector<std::string> refusals;
  play(uncut, script, refusals);
  EXPECT_EQ(broken_rule(uncut, script), "") << about;
  const std::string expected = everything(uncut);
  Chance chance(~seed);
  for (int cut = 0; cut < 4; ++cut) {
    script.options.crash_after = 1 + chance.below(uncut.commits());
    World again(script.options);
    std::vector<std::string> refused;
    play(again, script, refused);
    EXPECT_EQ(everything(again), expected) << "memory lost after commit " << script.options.crash_after << ", " << about;
    EXPECT_EQ(refused, refusals) << about;
    EXPECT_EQ(told_otherwise(uncut, again), "") << about;
    EXPECT_EQ(broken_rule(again, script), "") << about;
    if (testing::Test::HasFailure()) return false;
  }
  return true;
}

TEST(Simulation, KeepsItsRulesInEveryWorld) {
  const std::uint64_t only = number_from("ORLOP_SEED", 0);
  if (only != 0) {
    try_world(only);
    return;
  }
  const std::uint64_t seeds = number_from("ORLOP_SEEDS", 400);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    if (!try_world(seed)) return;
  }
}

}  // namespace
}  // namespace orlop
