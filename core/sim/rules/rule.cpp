#include "sim/rules/rule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "sim/invalid_member.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t rule_text_size_max = 1024;  // bytes of a pattern or a title
constexpr std::size_t message_size_max = 65'536;  // bytes of a reason or a report
constexpr std::size_t reports_max = 1000;
constexpr std::int64_t count_max = UINT32_MAX;

struct Given {
  const Value& value;
  std::string path;  // "rules[3].times"
  Instant now;
};

Result<void> read_text(const Given& given, std::string& out, std::size_t size_max = rule_text_size_max) {
  if (!given.value.is_text() || given.value.as_text().size() > size_max) {
    return invalid_member(given.path,
                          "must be text of at most " + std::to_string(size_max) + " bytes, not " + shown(given.value));
  }
  out = given.value.as_text();
  return {};
}

Result<void> read_count(const Given& given, std::uint32_t& out) {
  const std::int64_t count = given.value.as_integer();
  if (given.value.type() != Value::Type::integer || count < 0 || count > count_max) {
    return invalid_member(
        given.path, "must be a whole number of 0 to " + std::to_string(count_max) + ", not " + shown(given.value));
  }
  out = static_cast<std::uint32_t>(count);
  return {};
}

Result<void> read_number(const Given& given, double most, std::string_view allowed, double& out) {
  const bool is_number = given.value.type() == Value::Type::integer || given.value.type() == Value::Type::number;
  if (!is_number || !(given.value.as_number() >= 0 && given.value.as_number() <= most)) {
    return invalid_member(given.path, "must be a number of " + std::string(allowed) + ", not " + shown(given.value));
  }
  out = given.value.as_number();
  return {};
}

Result<void> read_time(const Given& given, std::optional<Distribution>& out) {
  ORLOP_TRY(read, read_distribution(given.value, given.path));
  out = std::move(read);
  return {};
}

// Reads an instant, or a duration from now.
Result<void> read_instant(const Given& given, std::optional<Instant>& out) {
  if (given.value.is_text()) out = parse_instant(given.value.as_text());
  if (out) return {};
  const auto after = read_duration(given.value, given.path);
  if (!after)
    return invalid_member(
        given.path,
        "must be a time like 2026-01-01T12:00:00Z, or a duration from now like \"2h\", not " + shown(given.value));
  out = given.now + *after;
  return {};
}

int specificity_of(std::string_view pattern) {
  return pattern == "*" ? 0 : pattern.find_first_of("*?") == std::string_view::npos ? 2 : 1;
}

void add_condition(Rule& rule, ConfigurationPattern::Source source, std::vector<std::string> path,
                   const Value& pattern) {
  rule.specificity += pattern.is_text() ? specificity_of(pattern.as_text()) : 2;
  rule.configuration.push_back({source, std::move(path), pattern});
}

// Pattern for a member of a record above the subject.
Result<void> read_above(Rule& rule, const Given& given, std::string_view above, std::string_view member) {
  std::string pattern;
  ORLOP_CHECK(read_text(given, pattern));
  ORLOP_CHECK(check_enum_pattern(pattern, above, member, given.path));
  add_condition(rule, ConfigurationPattern::Source::member, {std::string(above), std::string(member)}, given.value);
  return {};
}

Result<void> read_patterns(Rule& rule, const Given& given, ConfigurationPattern::Source source) {
  if (!given.value.is_object())
    return invalid_member(given.path, "must be an object of patterns, not " + shown(given.value));
  for (const Member& member : given.value.members()) {
    const bool is_plain = !member.value.is_object() && !member.value.is_list();
    if (!is_plain)
      return invalid_member(given.path + "." + std::string(beginning(member.name.view(), 64)),
                            "must be text, a number, true, false or null, not " + shown(member.value));
    add_condition(rule, source, {std::string(member.name.view())}, member.value);
  }
  return {};
}

constexpr std::pair<std::string_view, ScriptOutcome> outcomes[] = {
    {"succeed", ScriptOutcome::succeed},
    {"fail", ScriptOutcome::fail},
    {"credentials_refused", ScriptOutcome::refuse_credentials},
    {"hang", ScriptOutcome::hang}};

Result<void> read_outcome(const Given& given, ScriptOutcome& out) {
  for (const auto& [name, outcome] : outcomes) {
    if (!given.value.is_text() || given.value.as_text() != name) continue;
    out = outcome;
    return {};
  }
  return invalid_member(given.path, "must be succeed, fail, credentials_refused or hang, not " + shown(given.value));
}

constexpr std::pair<std::string_view, HoldPoint> hold_points[] = {
    {"start", HoldPoint::start}, {"begin", HoldPoint::begin}, {"end", HoldPoint::end}, {"cancel", HoldPoint::cancel}};

Result<void> read_hold(Rule& rule, const Given& given) {
  rule.hold = StepHold::none;
  if (given.value.is_text() && given.value.as_text() == "none") return {};
  for (const auto& [name, point] : hold_points) {
    if (!given.value.is_text() || given.value.as_text() != name) continue;
    rule.hold = StepHold::manual;
    rule.hold_point = point;
    return {};
  }
  return invalid_member(given.path, "must be none, start, begin, end or cancel, not " + shown(given.value));
}

Result<void> read_running(const Given& given, RunningState& out) {
  std::string allowed;
  for (int number = static_cast<int>(RunningState::starting); number <= static_cast<int>(RunningState::unknown);
       ++number) {
    const auto state = static_cast<RunningState>(number);
    allowed += (allowed.empty() ? "" : ", ") + std::string(to_string(state));
    if (!given.value.is_text() || given.value.as_text() != to_string(state)) continue;
    out = state;
    return {};
  }
  return invalid_member(given.path, "must be one of " + allowed + ", not " + shown(given.value));
}

Result<void> read_outputs(const Given& given, std::string& out) {
  if (!given.value.is_object()) return invalid_member(given.path, "must be an object, not " + shown(given.value));
  out = to_json(given.value);
  return {};
}

Result<void> read_reports(const Given& given, ReportKind kind, std::vector<RuleReport>& out) {
  if (!given.value.is_list() || given.value.items().size() > reports_max) {
    return invalid_member(given.path, "must be a list of at most " + std::to_string(reports_max) +
                                          " entries like {\"after\": \"5s\", \"text\": \"pulling\"}, not " +
                                          shown(given.value));
  }
  for (std::size_t at = 0; at < given.value.items().size(); ++at) {
    const Value& item = given.value.items()[at];
    const std::string path = given.path + "[" + std::to_string(at) + "]";
    const Value* const after = item.find("after");
    const Value* const text = item.find("text");
    if (!item.is_object() || text == nullptr || item.members().size() != (after == nullptr ? 1 : 2)) {
      return invalid_member(path,
                            "must be an object like {\"after\": \"5s\", \"text\": \"pulling\"}, not " + shown(item));
    }
    RuleReport report;
    report.kind = kind;
    ORLOP_CHECK(read_text({*text, path + ".text", given.now}, report.text, message_size_max));
    if (after != nullptr) {
      ORLOP_TRY(time, read_distribution(*after, path + ".after"));
      report.after = std::move(time);
    }
    out.push_back(std::move(report));
  }
  return {};
}

// A rule of requests may have the kind environment.
Result<void> read_kind(Rule& rule, const Given& given) {
  const Family* const environment = find_family(environment_number);
  const bool is_environment = given.value.is_text() && given.value.as_text() == environment->name;
  ORLOP_TRY(family,
            is_environment ? Result<FamilyNumber>(environment_number) : subject_family_of(given.value, given.path));
  rule.family = family;
  if (family != 0) rule.specificity += 2;
  return {};
}

Result<void> read_step(Rule& rule, const Given& given) {
  std::string name;
  ORLOP_CHECK(read_text(given, name));
  ORLOP_TRY(step, step_kind_of(name, given.path));
  rule.step = step;
  if (step != StepKind::none) rule.specificity += 2;
  return {};
}

Result<void> read_name(Rule& rule, const Given& given) {
  ORLOP_CHECK(read_text(given, rule.name));
  if (rule.name.empty()) rule.name = "*";
  rule.specificity += specificity_of(rule.name);
  return {};
}

Result<void> read_attempt(Rule& rule, const Given& given) {
  ORLOP_CHECK(read_count(given, rule.attempt));
  if (rule.attempt != 0) rule.specificity += 2;
  return {};
}

Result<void> read_probability(Rule& rule, const Given& given) {
  return read_number(given, 1, "0 to 1", rule.probability.emplace());
}

Result<void> read_weight(Rule& rule, const Given& given) {
  constexpr std::string_view allowed = "more than 0, to 1000000000";
  ORLOP_CHECK(read_number(given, 1e9, allowed, rule.weight));
  return rule.weight > 0 ? Result<void>()
                         : invalid_member(given.path, "must be a number of " + std::string(allowed) + ", not 0");
}

Result<void> read_older(Rule& rule, const Given& given) {
  ORLOP_TRY(ages, read_ages(given.value, given.path));
  rule.specificity += 2 * static_cast<int>(ages.size());
  rule.ages = std::move(ages);
  return {};
}

Result<void> read_parallel(Rule& rule, const Given& given) {
  ORLOP_CHECK(read_count(given, rule.parallel));
  return rule.parallel != 0
             ? Result<void>()
             : invalid_member(given.path, "must be a whole number of 1 to " + std::to_string(count_max) + ", not 0");
}

Result<void> read_jitter(Rule& rule, const Given& given) {
  ORLOP_TRY(jitter, read_duration(given.value, given.path));
  rule.jitter = jitter;
  return {};
}

struct MemberReader {
  std::string_view name;
  Result<void> (*read)(Rule& rule, const Given& given);
};

using Source = ConfigurationPattern::Source;

// All members, in the order of the documentation.
constexpr MemberReader readers[] = {
    {"rule", [](Rule& rule, const Given& given) { return read_text(given, rule.title); }},
    {"kind", read_kind},
    {"step", read_step},
    {"name", read_name},
    {"attempt", read_attempt},
    {"environment", [](Rule& rule, const Given& given) { return read_above(rule, given, "environment", "name"); }},
    {"mode", [](Rule& rule, const Given& given) { return read_above(rule, given, "environment", "mode"); }},
    {"stage", [](Rule& rule, const Given& given) { return read_above(rule, given, "deployment_stage", "name"); }},
    {"project", [](Rule& rule, const Given& given) { return read_above(rule, given, "project", "name"); }},
    {"organization", [](Rule& rule, const Given& given) { return read_above(rule, given, "organization", "name"); }},
    {"cluster", [](Rule& rule, const Given& given) { return read_above(rule, given, "cluster", "name"); }},
    {"cloud", [](Rule& rule, const Given& given) { return read_above(rule, given, "cluster", "cloud_provider"); }},
    {"region", [](Rule& rule, const Given& given) { return read_above(rule, given, "cluster", "region"); }},
    {"labels", [](Rule& rule, const Given& given) { return read_patterns(rule, given, Source::label); }},
    {"metadata", [](Rule& rule, const Given& given) { return read_patterns(rule, given, Source::metadata); }},
    {"where", [](Rule& rule, const Given& given) { return read_patterns(rule, given, Source::member); }},
    {"older", read_older},
    {"probability", read_probability},
    {"weight", read_weight},
    {"times", [](Rule& rule, const Given& given) { return read_count(given, rule.times); }},
    {"every", [](Rule& rule, const Given& given) { return read_count(given, rule.every); }},
    {"over", [](Rule& rule, const Given& given) { return rule.allowance.read_over(given.value, given.path); }},
    {"per", [](Rule& rule, const Given& given) { return rule.allowance.read_per(given.value, given.path); }},
    {"from", [](Rule& rule, const Given& given) { return read_instant(given, rule.from); }},
    {"until", [](Rule& rule, const Given& given) { return read_instant(given, rule.until); }},
    {"delay", [](Rule& rule, const Given& given) { return read_time(given, rule.delay); }},
    {"after", [](Rule& rule, const Given& given) { return read_time(given, rule.after); }},
    {"jitter", read_jitter},
    {"outcome", [](Rule& rule, const Given& given) { return read_outcome(given, rule.outcome); }},
    {"fails", [](Rule& rule, const Given& given) { return read_text(given, rule.reason, message_size_max); }},
    {"outputs", [](Rule& rule, const Given& given) { return read_outputs(given, rule.outputs); }},
    {"running", [](Rule& rule, const Given& given) { return read_running(given, rule.running); }},
    {"progress",
     [](Rule& rule, const Given& given) { return read_reports(given, ReportKind::progress, rule.reports); }},
    {"log", [](Rule& rule, const Given& given) { return read_reports(given, ReportKind::log_line, rule.reports); }},
    {"contact_lost_after", [](Rule& rule, const Given& given) { return read_time(given, rule.contact_lost_after); }},
    {"contact_back_after", [](Rule& rule, const Given& given) { return read_time(given, rule.contact_back_after); }},
    {"recap_after", [](Rule& rule, const Given& given) { return read_time(given, rule.recap_after); }},
    {"build", [](Rule& rule, const Given& given) { return read_time(given, rule.build); }},
    {"hold", read_hold},
    {"queued", [](Rule& rule, const Given& given) { return read_time(given, rule.queued); }},
    {"parallel", read_parallel},
    {"lasts", [](Rule& rule, const Given& given) { return read_time(given, rule.lasts); }},
    {"crash_after", [](Rule& rule, const Given& given) { return read_time(given, rule.crash_after); }},
    {"cancel_after", [](Rule& rule, const Given& given) { return read_time(given, rule.cancel_after); }},
};

constexpr auto member_names = [] {
  std::array<std::string_view, std::size(readers)> out{};
  for (std::size_t at = 0; at < out.size(); ++at) out[at] = readers[at].name;
  return out;
}();

Result<void> check(Rule& rule, const std::string& where) {
  ORLOP_CHECK(rule.allowance.check(where + "."));
  if (rule.subject() == RuleSubject::request) return check_of_requests(rule, where);
  if (rule.subject() == RuleSubject::environment) return check_of_environments(rule, where);
  if (rule.family == environment_number)
    return invalid_member(where + ".kind", "must be the family of a service or task, or cluster; not \"environment\"");
  if (!rule.reason.empty()) {
    if (rule.given.has("outcome") && rule.outcome == ScriptOutcome::succeed)
      return invalid_member(where + ".fails",
                            "must be left out where outcome is succeed, not " + shown(Value(rule.reason)));
    if (rule.outcome == ScriptOutcome::succeed) rule.outcome = ScriptOutcome::fail;
  }
  if (rule.probability && rule.weight > 0)
    return invalid_member(where + ".weight",
                          "must be left out where probability is given, not " + shown(*rule.given.find("weight")));
  if (rule.contact_back_after && !rule.contact_lost_after)
    return invalid_member(where + ".contact_lost_after", "is required where contact_back_after is given");
  if (rule.crash_after && rule.outcome != ScriptOutcome::succeed)
    return invalid_member(where + ".crash_after", "must be left out where the step does not succeed, not " +
                                                      shown(*rule.given.find("crash_after")));
  if (rule.from && rule.until && *rule.until <= *rule.from)
    return invalid_member(where + ".until",
                          "must be later than from, which is " + to_text(*rule.from) + ", not " + to_text(*rule.until));
  return {};
}

const Value* label_of(const Value& configuration, std::string_view key) {
  const Value* const labels = configuration.find("labels");
  if (labels == nullptr) return nullptr;
  for (const Value& label : labels->items()) {
    if (label.text_or("key", "") == key) return label.find("value");
  }
  return nullptr;
}

// For a cluster, conditions on its cluster are on itself.
const Value* member_of(const Value& configuration, const std::vector<std::string>& path, bool is_cluster) {
  const Value* found = &configuration;
  for (std::size_t at = is_cluster && path.size() > 1 && path.front() == "cluster" ? 1 : 0;
       at < path.size() && found != nullptr; ++at)
    found = found->find(path[at]);
  return found;
}

const Value* find_source(const ConfigurationPattern& condition, const Value& configuration, bool is_cluster) {
  switch (condition.source) {
    case Source::member: return member_of(configuration, condition.path, is_cluster);
    case Source::label: return label_of(configuration, condition.path.front());
    case Source::metadata: return configuration.find_path({"metadata", condition.path.front()});
  }
  return nullptr;
}

bool fits(const ConfigurationPattern& condition, const Value& configuration, bool is_cluster) {
  const Value* const found = find_source(condition, configuration, is_cluster);
  if (found == nullptr) return condition.pattern.is_null();
  return condition.pattern.is_text() && found->is_text() ? matches(condition.pattern.as_text(), found->as_text())
                                                         : condition.pattern == *found;
}

bool is_of_cluster(StepKind kind) { return kind >= StepKind::cluster_create && kind <= StepKind::cluster_restart; }

}  // namespace

std::span<const std::string_view> rule_members() { return member_names; }

Result<FamilyNumber> subject_family_of(const Value& given, const std::string& name) {
  const std::string kind = given.is_text() ? given.as_text() : "?";
  if (kind.empty()) return FamilyNumber{0};
  const Family* const family = find_family(kind);
  if (family == nullptr || family->machine == MachineKind::none || family->machine == MachineKind::environment) {
    return invalid_member(name, "must be the family of a service or task, or cluster; not " + shown(given));
  }
  return family->number;
}

Result<StepKind> step_kind_of(std::string_view given, const std::string& name) {
  using enum StepKind;
  constexpr StepKind kinds[] = {
      build,          deploy,          execute,         stop,         restart,        remove,          cluster_create,
      cluster_update, cluster_upgrade, cluster_dry_run, cluster_stop, cluster_remove, cluster_restart, task};
  if (given.empty()) return none;
  std::vector<std::string_view> known;
  for (const StepKind kind : kinds) {
    if (to_string(kind) == given) return kind;
    known.push_back(to_string(kind));
  }
  return invalid_member(name, "must be the name of a kind of step, such as build or cluster_create; not " +
                                  shown(Value(given)) + nearest_hint(given, known));
}

Result<Rule> read_rule(const Value& given, const std::string& where, Instant now) {
  if (!given.is_object()) return invalid_member(where, "must be an object, not " + shown(given));
  Rule rule;
  rule.given = given;
  for (const Member& member : given.members()) {
    const auto reader = std::ranges::find(readers, member.name.view(), &MemberReader::name);
    if (reader == std::end(readers)) {
      return invalid_member(where + "." + std::string(beginning(member.name.view(), 64)),
                            "is not a member of a rule" + nearest_hint(member.name, member_names));
    }
    ORLOP_CHECK(reader->read(rule, {member.value, where + "." + std::string(reader->name), now}));
  }
  if (rule.from) rule.given.set("from", Value(to_text(*rule.from)));
  if (rule.until) rule.given.set("until", Value(to_text(*rule.until)));
  ORLOP_CHECK(check(rule, where));
  return rule;
}

const Value& RuledStep::configuration() {
  if (!configuration_) {
    auto parsed = step_.configuration.empty() ? Result<Value>(Value::object()) : parse_stored(step_.configuration);
    configuration_ = parsed ? std::move(*parsed) : Value::object();
  }
  return *configuration_;
}

bool applies_to(const Rule& rule, RuledStep& ruled) {
  const Step& step = ruled.step();
  const bool fits_step = rule.subject() == ruled.of() && (rule.family == 0 || rule.family == step.family) &&
                         (rule.step == StepKind::none || rule.step == step.kind) &&
                         (rule.attempt == 0 || rule.attempt == step.attempt) &&
                         (rule.name == "*" || matches(rule.name, step.name));
  const auto is_old = [&](const AgeCondition& age) { return is_as_old(age, ruled.configuration(), step.started_at); };
  return fits_step && std::ranges::all_of(rule.ages, is_old) &&
         std::ranges::all_of(rule.configuration, [&](const ConfigurationPattern& condition) {
           return fits(condition, ruled.configuration(), is_of_cluster(step.kind));
         });
}

}  // namespace orlop
