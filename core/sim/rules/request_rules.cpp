// Rules of requests, which wait in QUEUED before they begin, and of environments with a lifetime.
#include <algorithm>
#include <span>
#include <string>

#include "model/registry.h"
#include "sim/invalid_member.h"
#include "sim/rules/draws.h"
#include "sim/rules/rule_set.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Members that such a rule may have.
constexpr std::string_view request_members[] = {
    "rule",    "kind",  "step",   "name",     "environment", "mode",        "project", "organization",
    "cluster", "cloud", "region", "metadata", "where",       "probability", "weight",  "times",
    "every",   "over",  "per",    "from",     "until",       "queued",      "parallel"};
constexpr std::string_view environment_members[] = {
    "rule",     "kind",  "name",        "environment", "mode",  "project", "organization", "cluster", "cloud", "region",
    "metadata", "where", "probability", "weight",      "times", "every",   "from",         "until",   "lasts"};

bool may_be_requested(StepKind step) {
  using enum StepKind;
  constexpr StepKind steps[] = {none,           deploy,          stop,
                                restart,        remove,          cluster_create,
                                cluster_update, cluster_upgrade, cluster_dry_run,
                                cluster_stop,   cluster_remove,  cluster_restart};
  return std::ranges::find(steps, step) != std::end(steps);
}

Result<void> check_members(const Rule& rule, std::span<const std::string_view> allowed, const std::string& where,
                           std::string_view given, std::string_view reason) {
  for (const Member& member : rule.given.members()) {
    if (std::ranges::find(allowed, member.name.view()) != allowed.end()) continue;
    return invalid_member(
        where + "." + std::string(member.name.view()),
        "must be left out where " + std::string(given) + ", not " + shown(member.value) + ": " + std::string(reason));
  }
  return {};
}

Result<void> check_times(const Rule& rule, const std::string& where) {
  if (rule.from && rule.until && *rule.until <= *rule.from)
    return invalid_member(where + ".until",
                          "must be later than from, which is " + to_text(*rule.from) + ", not " + to_text(*rule.until));
  if (rule.probability && rule.weight > 0)
    return invalid_member(where + ".weight",
                          "must be left out where probability is given, not " + shown(*rule.given.find("weight")));
  return {};
}

}  // namespace

Result<void> check_of_requests(const Rule& rule, const std::string& where) {
  ORLOP_CHECK(check_members(rule, request_members, where, "queued or parallel is given",
                            "the rule is of requests, not of steps"));
  const Family* const family = find_family(rule.family);
  if (family != nullptr && family->machine != MachineKind::environment && family->machine != MachineKind::cluster) {
    return invalid_member(where + ".kind", "must be environment or cluster where queued or parallel is given, not " +
                                               shown(*rule.given.find("kind")));
  }
  if (!may_be_requested(rule.step)) {
    return invalid_member(
        where + ".step",
        "must be deploy, stop, restart, delete or a step of clusters where queued or parallel is given, not " +
            shown(*rule.given.find("step")));
  }
  return check_times(rule, where);
}

Result<void> check_of_environments(const Rule& rule, const std::string& where) {
  ORLOP_CHECK(
      check_members(rule, environment_members, where, "lasts is given", "the rule is of environments, not of steps"));
  const Family* const family = find_family(rule.family);
  if (family != nullptr && family->machine != MachineKind::environment)
    return invalid_member(where + ".kind",
                          "must be environment where lasts is given, not " + shown(*rule.given.find("kind")));
  return check_times(rule, where);
}

std::shared_ptr<const Rule> RuleSet::decide_about(const Step& request, RuleSubject subject, const Id& by) {
  const std::lock_guard lock(mutex_);
  RuledStep ruled(request, subject);
  Draws choice(by, Draws::Purpose::choice);
  CountedRule* const decided = layers_.rules.choose(ruled, choice);
  if (decided == nullptr) return nullptr;
  ++decided->applied;
  return decided->rule;
}

std::optional<RuleSet::Wait> RuleSet::wait_of(const Step& request) {
  auto rule = decide_about(request, RuleSubject::request, request.id);
  if (rule == nullptr) return std::nullopt;
  Draws course(request.id, Draws::Purpose::course);
  const Duration queued = rule->queued ? draw(*rule->queued, course) : Duration();
  return Wait{std::move(rule), queued};
}

std::optional<Duration> RuleSet::lifetime_of(const Step& request) {
  const auto rule = decide_about(request, RuleSubject::environment, request.subject);
  if (rule == nullptr) return std::nullopt;
  Draws course(request.subject, Draws::Purpose::course);
  return draw(*rule->lasts, course);
}

std::uint64_t RuleSet::additions() const {
  const std::lock_guard lock(mutex_);
  return layers_.added;
}

std::uint64_t RuleSet::count_of(RuleSubject subject) const {
  const std::lock_guard lock(mutex_);
  return layers_.rules.count_of(subject);
}

bool RuleSet::has_rules_of(RuleSubject subject) const { return count_of(subject) > 0; }

}  // namespace orlop
