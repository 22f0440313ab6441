#include "unit/deploy/script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "model/registry.h"
#include "ops/call.h"
#include "ops/verbs.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "duration=5" -> "5" for "duration"; the fallback if no word begins so. "fail" alone gives "".
std::string option(const std::vector<std::string>& words, const std::string& name, const std::string& fallback = {}) {
  for (const std::string& word : words) {
    if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
  }
  return fallback;
}

bool has_word(const std::vector<std::string>& words, std::string_view wanted) {
  for (const std::string& word : words) {
    if (word == wanted) return true;
  }
  return false;
}

Duration duration_of(const std::string& text) { return Duration{static_cast<std::int64_t>(std::stod(text) * 1000)}; }

std::optional<Duration> maybe_duration(const std::vector<std::string>& words, const std::string& name) {
  const std::string text = option(words, name);
  return text.empty() ? std::nullopt : std::optional(duration_of(text));
}

template <typename Value>
Value value_of(const std::map<std::string, Value, std::less<>>& table, const std::string& word) {
  const auto found = table.find(word);
  EXPECT_NE(found, table.end()) << "no such word: " << word;
  return found == table.end() ? Value{} : found->second;
}

const std::map<std::string, std::uint32_t, std::less<>>& trait_words() {
  using enum MachineTrait;
  const auto bits = [](MachineTrait trait) { return static_cast<std::uint32_t>(trait); };
  static const std::map<std::string, std::uint32_t, std::less<>> table = {
      {"skipped", bits(skipped)},         {"builds", bits(builds)},   {"on_start", bits(on_start)},
      {"on_stop", bits(on_stop)},         {"cron", bits(cron)},       {"on_delete", bits(on_delete)},
      {"uninterruptible", bits(uninterruptible)}};
  return table;
}

const std::map<std::string, StepKind, std::less<>>& step_words() {
  static const std::map<std::string, StepKind, std::less<>> table = {
      {"*", StepKind::none},      {"build", StepKind::build},     {"deploy", StepKind::deploy},
      {"execute", StepKind::execute}, {"stop", StepKind::stop},   {"restart", StepKind::restart},
      {"delete", StepKind::remove},   {"cluster_create", StepKind::cluster_create},
      {"cluster_update", StepKind::cluster_update}, {"cluster_upgrade", StepKind::cluster_upgrade},
      {"cluster_dry_run", StepKind::cluster_dry_run}, {"cluster_stop", StepKind::cluster_stop},
      {"cluster_restart", StepKind::cluster_restart}};
  return table;
}

const std::map<std::string, Action, std::less<>>& action_words() {
  static const std::map<std::string, Action, std::less<>> table = {
      {"deploy", Action::deploy},       {"restart", Action::restart}, {"stop", Action::stop},      {"delete", Action::remove},
      {"uninstall", Action::uninstall}, {"dry_run", Action::dry_run}, {"upgrade", Action::upgrade}};
  return table;
}

const std::map<std::string, ForcedEvent, std::less<>>& forced_words() {
  static const std::map<std::string, ForcedEvent, std::less<>> table = {
      {"", ForcedEvent::none}, {"START", ForcedEvent::start}, {"STOP", ForcedEvent::stop},
      {"DELETE", ForcedEvent::remove}, {"CRON", ForcedEvent::cron}};
  return table;
}

ScriptOutcome outcome_of(const std::vector<std::string>& words) {
  if (has_word(words, "hang")) return ScriptOutcome::hang;
  if (has_word(words, "refuse")) return ScriptOutcome::refuse_credentials;
  return has_word(words, "fail") || !option(words, "fail").empty() ? ScriptOutcome::fail : ScriptOutcome::succeed;
}

ScriptRule parse_rule(const std::vector<std::string>& words) {
  ScriptRule rule;
  rule.name = words.at(1);
  rule.step = value_of(step_words(), words.at(2));
  rule.attempt = static_cast<std::uint32_t>(std::stoul(option(words, "attempt", "0")));
  rule.start_delay = duration_of(option(words, "start", "0"));
  rule.duration = duration_of(option(words, "duration", "0"));
  rule.jitter = duration_of(option(words, "jitter", "0"));
  rule.outcome = outcome_of(words);
  rule.reason = option(words, "fail");
  rule.outputs = option(words, "outputs");
  rule.contact_lost_after = maybe_duration(words, "lost");
  rule.contact_back_after = maybe_duration(words, "back");
  rule.cancel_delay = duration_of(option(words, "cancel", "0"));
  if (option(words, "running") == "RUNNING") rule.running = RunningState::running;
  if (option(words, "running") == "ERROR") rule.running = RunningState::error;
  for (const std::string& word : words) {
    if (!word.starts_with("says=")) continue;
    const std::size_t colon = word.find(':');
    rule.words.push_back({duration_of(word.substr(5, colon - 5)), ReportKind::progress, word.substr(colon + 1)});
  }
  return rule;
}

void parse_settings(const std::vector<std::string>& words, Settings& settings) {
  settings.max_parallel_builds = static_cast<std::uint32_t>(std::stoul(option(words, "builds", "4")));
  settings.max_parallel_deploys = static_cast<std::uint32_t>(std::stoul(option(words, "deploys", "16")));
  settings.step_deadline = duration_of(option(words, "deadline", "3600"));
  settings.cancel_deadline = duration_of(option(words, "cancel_deadline", "600"));
  settings.history_kept = static_cast<std::uint32_t>(std::stoul(option(words, "history", "50")));
  if (option(words, "busy") == "reject") settings.busy = BusyPolicy::reject;
  settings.require_cluster = has_word(words, "cluster");
}

Script::Service parse_service(const std::vector<std::string>& words) {
  Script::Service service{words.at(1), words.at(2), traits_of_family(words.at(2)), std::stoi(option(words, "stage", "0"))};
  for (std::size_t at = 3; at < words.size(); ++at) {
    if (!words[at].starts_with("stage=")) service.traits |= value_of(trait_words(), words[at]);
  }
  return service;
}

Order parse_order(const World& world, const std::vector<std::string>& words) {
  Order order;
  order.environment = world.environment();
  order.action = value_of(action_words(), words.at(0));
  order.author = option(words, "by", "host");
  order.forced = value_of(forced_words(), option(words, "force"));
  order.whole_environment = words.at(1) == "all";
  std::istringstream names(words.at(1));
  for (std::string name; !order.whole_environment && std::getline(names, name, ',');) order.services.push_back(world.id_of(name));
  return order;
}

Result<void> ask_cluster(Unit& unit, const World& world, const std::vector<std::string>& words) {
  if (words.at(1) == "cancel") return cancel_cluster(unit, world.cluster());
  return place_cluster(unit, world.cluster(), value_of(action_words(), words.at(1)), "host");
}

Result<void> cancel_queued(Unit& unit, const World& world, std::size_t number) {
  ORLOP_TRY(requests, request_machines(unit, world.environment()));
  if (number > requests.size()) return make_error(ErrorCode::not_found, "there is no such request");
  return cancel_request(unit, requests[number - 1].id, CancelMode::interruptible);
}

// What a client's edit does: another body under the next revision, and the word of it.
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
  record->body = Writer().begin_object().field("name", name_of(*record)).field("edits", record->revision).end_object().text();
  unit.put(std::move(*record));
  unit.emit(std::move(edited));
  return touch(unit, id);
}

// An edit that changes what there is to do for a service: it has these traits from now on.
Result<void> become(Unit& unit, const Script& script, const World& world, const std::vector<std::string>& words) {
  ORLOP_TRY(machine, unit.machine(world.id_of(words.at(1))));
  if (!machine) return not_found("service", world.id_of(words.at(1)));
  const auto service = std::ranges::find(script.services, words.at(1), &Script::Service::name);
  std::uint32_t traits = traits_of_family(service->family);
  for (std::size_t at = 2; at < words.size(); ++at) traits |= value_of(trait_words(), words[at]);
  traits |= machine->traits & static_cast<std::uint32_t>(MachineTrait::skipped);
  machine->traits = with_live_traits(machine->traits, traits);
  unit.put(std::move(*machine));
  return edit(unit, world.id_of(words.at(1)));
}

Result<void> act(Unit& unit, const Script& script, const World& world, const std::vector<std::string>& words) {
  const std::string& verb = words.at(0);
  if (verb == "cluster") return ask_cluster(unit, world, words);
  if (verb == "become") return become(unit, script, world, words);
  if (verb == "edit") return edit(unit, world.id_of(words.at(1)));
  if (verb == "touch") return touch(unit, world.id_of(words.at(1)));
  const CancelMode mode = has_word(words, "force") ? CancelMode::force : CancelMode::interruptible;
  if (verb == "cancel") return cancel_environment(unit, world.environment(), mode);
  if (verb == "cancel_request") return cancel_queued(unit, world, std::stoul(words.at(1)));
  const auto placed = place(unit, parse_order(world, words));
  return placed ? Result<void>() : placed.error();
}

}  // namespace

std::uint32_t traits_of_family(std::string_view family) {
  if (family == "job") return MachineTrait::executes | MachineTrait::uninterruptible | MachineTrait::stoppable;
  if (family == "terraform") return static_cast<std::uint32_t>(MachineTrait::uninterruptible);
  if (family == "helm" || family == "argocd_app") return static_cast<std::uint32_t>(MachineTrait::stoppable);
  return MachineTrait::restartable | MachineTrait::stoppable;
}

Script parse_script(std::string_view text) {
  Script script;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0].starts_with("#")) continue;
    if (words[0] == "service") {
      script.services.push_back(parse_service(words));
    } else if (words[0] == "rule") {
      script.options.rules.push_back(parse_rule(words));
    } else if (words[0] == "settings") {
      parse_settings(words, script.options.settings);
      script.acts_come_first = has_word(words, "acts_come_first");
    } else if (words[0] == "at") {
      script.acts.push_back({world_begin + duration_of(words.at(1)), {words.begin() + 2, words.end()}});
    } else {
      ADD_FAILURE() << "a line that nobody knows: " << line;
    }
  }
  return script;
}

void play(World& world, const Script& script, std::vector<std::string>& refusals) {
  for (const Script::Service& service : script.services) world.add_service(service.name, service.family, service.traits, service.stage);
  Instant last = world_begin - seconds(1);
  for (const Script::Act& step : script.acts) {
    // What is asked at one instant is asked in one breath.
    if (step.at > last) world.run_until(script.acts_come_first ? step.at - Duration{1} : step.at);
    world.move_to(step.at);
    last = step.at;
    const std::string refused = world.change([&](Unit& unit) { return act(unit, script, world, step.words); });
    if (!refused.empty()) refusals.push_back("refused: " + refused);
  }
  world.run_until_idle();
}

std::string transcript(const Script& script) {
  World world(script.options);
  std::vector<std::string> refusals;
  play(world, script, refusals);
  std::string text;
  for (const Event& event : world.events()) {
    const std::string line = world.line_of(event);
    if (!line.empty()) text += line + "\n";
  }
  for (const std::string& refusal : refusals) text += refusal + "\n";
  for (const Script::Service& service : script.services) {
    if (!world.exists(service.name)) continue;
    const Machine machine = world.machine(service.name);
    text += "= " + service.name + " " + std::string(word_of(static_cast<ServiceState>(machine.state))) + " " +
            std::string(word_of(static_cast<Freshness>(machine.freshness))) + "\n";
  }
  return text;
}

}  // namespace orlop
