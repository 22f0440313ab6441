#include "unit/deploy/script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::vector<std::string> tokens_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> tokens;
  for (std::string token; stream >> token;) tokens.push_back(token);
  return tokens;
}

// Returns "5" for "duration" in "duration=5"; the fallback if no token begins so. "fail" alone gives "".
std::string option(const std::vector<std::string>& tokens, const std::string& name, const std::string& fallback = {}) {
  for (const std::string& token : tokens) {
    if (token.starts_with(name + "=")) return token.substr(name.size() + 1);
  }
  return fallback;
}

bool has_token(const std::vector<std::string>& tokens, std::string_view wanted) {
  for (const std::string& token : tokens) {
    if (token == wanted) return true;
  }
  return false;
}

Duration duration_of(const std::string& text) { return Duration{static_cast<std::int64_t>(std::stod(text) * 1000)}; }

std::optional<Duration> maybe_duration(const std::vector<std::string>& tokens, const std::string& name) {
  const std::string text = option(tokens, name);
  return text.empty() ? std::nullopt : std::optional(duration_of(text));
}

template <typename Value>
Value value_of(const std::map<std::string, Value, std::less<>>& table, const std::string& token) {
  const auto found = table.find(token);
  EXPECT_NE(found, table.end()) << "no such word: " << token;
  return found == table.end() ? Value{} : found->second;
}

const std::map<std::string, std::uint32_t, std::less<>>& plan_flag_values() {
  using enum PlanFlag;
  const auto bits = [](PlanFlag flag) { return static_cast<std::uint32_t>(flag); };
  static const std::map<std::string, std::uint32_t, std::less<>> table = {{"skipped", bits(skipped)},
                                                                          {"builds", bits(builds)},
                                                                          {"on_start", bits(on_start)},
                                                                          {"on_stop", bits(on_stop)},
                                                                          {"cron", bits(cron)},
                                                                          {"on_delete", bits(on_delete)},
                                                                          {"uninterruptible", bits(uninterruptible)}};
  return table;
}

const std::map<std::string, StepKind, std::less<>>& step_values() {
  static const std::map<std::string, StepKind, std::less<>> table = {{"*", StepKind::none},
                                                                     {"build", StepKind::build},
                                                                     {"deploy", StepKind::deploy},
                                                                     {"execute", StepKind::execute},
                                                                     {"stop", StepKind::stop},
                                                                     {"restart", StepKind::restart},
                                                                     {"delete", StepKind::remove},
                                                                     {"cluster_create", StepKind::cluster_create},
                                                                     {"cluster_update", StepKind::cluster_update},
                                                                     {"cluster_upgrade", StepKind::cluster_upgrade},
                                                                     {"cluster_dry_run", StepKind::cluster_dry_run},
                                                                     {"cluster_stop", StepKind::cluster_stop},
                                                                     {"cluster_restart", StepKind::cluster_restart}};
  return table;
}

const std::map<std::string, Action, std::less<>>& action_values() {
  static const std::map<std::string, Action, std::less<>> table = {
      {"deploy", Action::deploy},  {"restart", Action::restart},     {"stop", Action::stop},
      {"delete", Action::remove},  {"uninstall", Action::uninstall}, {"dry_run", Action::dry_run},
      {"upgrade", Action::upgrade}};
  return table;
}

const std::map<std::string, ForcedEvent, std::less<>>& forced_values() {
  static const std::map<std::string, ForcedEvent, std::less<>> table = {{"", ForcedEvent::none},
                                                                        {"START", ForcedEvent::start},
                                                                        {"STOP", ForcedEvent::stop},
                                                                        {"DELETE", ForcedEvent::remove},
                                                                        {"CRON", ForcedEvent::cron}};
  return table;
}

ScriptOutcome outcome_of(const std::vector<std::string>& tokens) {
  if (has_token(tokens, "hang")) return ScriptOutcome::hang;
  if (has_token(tokens, "refuse")) return ScriptOutcome::refuse_credentials;
  return has_token(tokens, "fail") || !option(tokens, "fail").empty() ? ScriptOutcome::fail : ScriptOutcome::succeed;
}

StepRule parse_rule(const std::vector<std::string>& tokens) {
  StepRule rule;
  rule.name = tokens.at(1);
  rule.step = value_of(step_values(), tokens.at(2));
  rule.attempt = static_cast<std::uint32_t>(std::stoul(option(tokens, "attempt", "0")));
  rule.start_delay = duration_of(option(tokens, "start", "0"));
  rule.duration = duration_of(option(tokens, "duration", "0"));
  rule.jitter = duration_of(option(tokens, "jitter", "0"));
  rule.outcome = outcome_of(tokens);
  rule.reason = option(tokens, "fail");
  rule.outputs = option(tokens, "outputs");
  rule.contact_lost_after = maybe_duration(tokens, "lost");
  rule.contact_back_after = maybe_duration(tokens, "back");
  rule.cancel_delay = duration_of(option(tokens, "cancel", "0"));
  if (option(tokens, "running") == "RUNNING") rule.running = RunningState::running;
  if (option(tokens, "running") == "ERROR") rule.running = RunningState::error;
  for (const std::string& token : tokens) {
    if (!token.starts_with("says=")) continue;
    const std::size_t colon = token.find(':');
    rule.reports.push_back({duration_of(token.substr(5, colon - 5)), ReportKind::progress, token.substr(colon + 1)});
  }
  return rule;
}

void parse_settings(const std::vector<std::string>& tokens, Settings& settings) {
  settings.max_parallel_builds = static_cast<std::uint32_t>(std::stoul(option(tokens, "builds", "4")));
  settings.max_parallel_deploys = static_cast<std::uint32_t>(std::stoul(option(tokens, "deploys", "16")));
  settings.step_deadline = duration_of(option(tokens, "deadline", "3600"));
  settings.start_deadline = duration_of(option(tokens, "start_deadline", option(tokens, "deadline", "3600")));
  settings.cancel_deadline = duration_of(option(tokens, "cancel_deadline", "600"));
  settings.history_kept = static_cast<std::uint32_t>(std::stoul(option(tokens, "history", "50")));
  if (option(tokens, "busy") == "reject") settings.busy = BusyPolicy::reject;
  settings.require_cluster = has_token(tokens, "cluster");
}

Script::Service parse_service(const std::vector<std::string>& tokens) {
  Script::Service service{tokens.at(1), tokens.at(2), plan_flags_of_family(tokens.at(2)),
                          std::stoi(option(tokens, "stage", "0"))};
  for (std::size_t at = 3; at < tokens.size(); ++at) {
    if (!tokens[at].starts_with("stage=")) service.plan_flags |= value_of(plan_flag_values(), tokens[at]);
  }
  return service;
}

Order parse_order(const Fixture& fixture, const std::vector<std::string>& tokens) {
  Order order;
  order.environment = fixture.environment();
  order.action = value_of(action_values(), tokens.at(0));
  order.author = option(tokens, "by", "host");
  order.forced = value_of(forced_values(), option(tokens, "force"));
  order.whole_environment = tokens.at(1) == "all";
  std::istringstream names(tokens.at(1));
  for (std::string name; !order.whole_environment && std::getline(names, name, ',');)
    order.services.push_back(fixture.id_of(name));
  return order;
}

Result<void> ask_cluster(Unit& unit, const Fixture& fixture, const std::vector<std::string>& tokens) {
  if (tokens.at(1) == "cancel") return cancel_cluster(unit, fixture.cluster());
  return place_cluster(unit, fixture.cluster(), value_of(action_values(), tokens.at(1)), "host");
}

Result<void> cancel_queued(Unit& unit, const Fixture& fixture, std::size_t number) {
  ORLOP_TRY(requests, request_machines(unit, fixture.environment()));
  if (number > requests.size()) return make_error(ErrorCode::not_found, "there is no such request");
  return cancel_request(unit, requests[number - 1].id, CancelMode::interruptible);
}

// Edits a record as a client does: another body under the next revision, and its event.
Result<void> edit(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return not_found("service", id);
  Event edited;
  edited.kind = EventKind::edited;
  edited.family = record->family;
  edited.subject = id;
  edited.owner = record->parent;
  edited.organization = record->organization;
  edited.revision = record->revision + 1;
  Record changed = *record;
  changed.body =
      Writer().begin_object().field("name", name_of(*record)).field("edits", record->revision).end_object().text();
  unit.put(std::move(changed));
  unit.emit(std::move(edited));
  return touch(unit, id);
}

// Edits a service so that it has these plan_flags from now on.
Result<void> become(Unit& unit, const Script& script, const Fixture& fixture, const std::vector<std::string>& tokens) {
  ORLOP_TRY(machine, unit.machine(fixture.id_of(tokens.at(1))));
  if (!machine) return not_found("service", fixture.id_of(tokens.at(1)));
  const auto service = std::ranges::find(script.services, tokens.at(1), &Script::Service::name);
  std::uint32_t plan_flags = plan_flags_of_family(service->family);
  for (std::size_t at = 2; at < tokens.size(); ++at) plan_flags |= value_of(plan_flag_values(), tokens[at]);
  plan_flags |= machine->plan_flags & static_cast<std::uint32_t>(PlanFlag::skipped);
  Machine changed = *machine;
  changed.plan_flags = plan_flags;
  unit.put(std::move(changed));
  return edit(unit, fixture.id_of(tokens.at(1)));
}

Result<void> act(Unit& unit, const Script& script, const Fixture& fixture, const std::vector<std::string>& tokens) {
  const std::string& verb = tokens.at(0);
  if (verb == "cluster") return ask_cluster(unit, fixture, tokens);
  if (verb == "become") return become(unit, script, fixture, tokens);
  if (verb == "edit") return edit(unit, fixture.id_of(tokens.at(1)));
  if (verb == "touch") return touch(unit, fixture.id_of(tokens.at(1)));
  const CancelMode mode = has_token(tokens, "force") ? CancelMode::force : CancelMode::interruptible;
  if (verb == "cancel") return cancel_environment(unit, fixture.environment(), mode);
  if (verb == "cancel_request") return cancel_queued(unit, fixture, std::stoul(tokens.at(1)));
  const auto placed = enqueue(unit, parse_order(fixture, tokens));
  return placed ? Result<void>() : placed.error();
}

}  // namespace

std::uint32_t plan_flags_of_family(std::string_view family) {
  if (family == "job") return PlanFlag::executes | PlanFlag::uninterruptible | PlanFlag::stoppable;
  if (family == "terraform") return static_cast<std::uint32_t>(PlanFlag::uninterruptible);
  if (family == "helm" || family == "argocd_app") return static_cast<std::uint32_t>(PlanFlag::stoppable);
  return PlanFlag::restartable | PlanFlag::stoppable;
}

Script parse_script(std::string_view text) {
  Script script;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> tokens = tokens_of(line);
    if (tokens.empty() || tokens[0].starts_with("#")) continue;
    if (tokens[0] == "service") {
      script.services.push_back(parse_service(tokens));
    } else if (tokens[0] == "rule") {
      script.options.rules.push_back(parse_rule(tokens));
    } else if (tokens[0] == "settings") {
      parse_settings(tokens, script.options.settings);
      script.acts_come_first = has_token(tokens, "acts_come_first");
    } else if (tokens[0] == "at") {
      script.acts.push_back({clock_start + duration_of(tokens.at(1)), {tokens.begin() + 2, tokens.end()}});
    } else {
      ADD_FAILURE() << "an unknown line: " << line;
    }
  }
  return script;
}

void play(Fixture& fixture, const Script& script, std::vector<std::string>& refusals) {
  for (const Script::Service& service : script.services)
    fixture.add_service(service.name, service.family, service.plan_flags, service.stage);
  Instant last = clock_start - seconds(1);
  for (const Script::Act& step : script.acts) {
    // Acts at the same instant run without a tick in between.
    if (step.at > last) fixture.run_until(script.acts_come_first ? step.at - Duration{1} : step.at);
    fixture.move_to(step.at);
    last = step.at;
    const std::string refused = fixture.change([&](Unit& unit) { return act(unit, script, fixture, step.tokens); });
    if (!refused.empty()) refusals.push_back("refused: " + refused);
  }
  fixture.run_until_idle();
}

std::string transcript(const Script& script) {
  Fixture fixture(script.options);
  std::vector<std::string> refusals;
  play(fixture, script, refusals);
  std::string text;
  for (const Event& event : fixture.events()) {
    const std::string line = fixture.line_of(event);
    if (!line.empty()) text += line + "\n";
  }
  for (const std::string& refusal : refusals) text += refusal + "\n";
  for (const Script::Service& service : script.services) {
    if (!fixture.exists(service.name)) continue;
    const Machine machine = fixture.machine(service.name);
    text += "= " + service.name + " " + std::string(to_string(static_cast<ServiceState>(machine.state))) + " " +
            std::string(to_string(static_cast<Freshness>(machine.freshness))) + "\n";
  }
  return text;
}

}  // namespace orlop
