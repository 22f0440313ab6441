#include "sim/rules/rule_set.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/text/utf8.h"
#include "model/registry.h"
#include "sim/invalid_member.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t rules_max = 100'000;
constexpr std::uint32_t reads_max = 1'000'000;
// The last one only in snapshots.
constexpr std::string_view document_members[] = {"rules", "transitions", "pack", "steps"};
constexpr std::span<const std::string_view> given_members = std::span(document_members).first(3);

std::string family_path(std::string_view family) { return "transitions." + std::string(beginning(family, 64)); }

// Reads "after 3 reads"; 0 if it is another text.
std::uint32_t reads_of(std::string_view text) {
  if (!text.starts_with("after ") || !(text.ends_with(" reads") || text == "after 1 read")) return 0;
  text.remove_prefix(6);
  std::uint64_t count = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9' && count <= reads_max; text.remove_prefix(1)) {
    count = count * 10 + static_cast<std::uint64_t>(text.front() - '0');
  }
  return (text == " reads" || text == " read") && count <= reads_max ? static_cast<std::uint32_t>(count) : 0;
}

Result<Transition> read_transition(const Value& given, const std::string& path) {
  Transition transition;
  transition.text = given.is_text() ? given.as_text() : shown(given);
  if (transition.text == "immediate") return transition;
  transition.reads = reads_of(transition.text);
  if (transition.text == "manual" || transition.reads != 0) {
    transition.hold = transition.reads != 0 ? StepHold::reads : StepHold::manual;
    return transition;
  }
  const auto duration = read_duration(given, path);
  if (!duration)
    return invalid_member(
        path, "must be immediate, manual, a duration like 30s, or \"after 3 reads\" with 1 to 1000000 reads, not " +
                  shown(given));
  transition.duration = *duration;
  const std::int64_t milliseconds = duration->milliseconds;
  if (!given.is_text())
    transition.text =
        milliseconds % 1000 == 0 ? std::to_string(milliseconds / 1000) + "s" : std::to_string(milliseconds) + "ms";
  return transition;
}

// Reports whether a step that fails by the rule gives its name as the reason.
bool says_name(const Rule& rule) { return rule.outcome != ScriptOutcome::succeed && rule.reason.empty(); }

}  // namespace

// Reads a list of rules, those of a snapshot with their counts.
Result<void> RuleSet::read_rules(const Value& given, Instant now, bool with_counts, Layers& out) {
  if (!given.is_list() || given.items().size() > rules_max) {
    return invalid_member("rules",
                          "must be a list of at most " + std::to_string(rules_max) + " rules, not " + shown(given));
  }
  if (out.rules.size() + given.items().size() > rules_max) {
    return invalid_member("rules", "must be at most " + std::to_string(rules_max) + ", not " +
                                       std::to_string(out.rules.size() + given.items().size()));
  }
  std::vector<CountedRule> added;
  for (std::size_t at = 0; at < given.items().size(); ++at) {
    Value item = given.items()[at];
    CountedRule counted;
    if (with_counts && item.is_object()) {
      counted.matched = static_cast<std::uint64_t>(std::max<std::int64_t>(item.integer_or("matched", 0), 0));
      counted.applied = static_cast<std::uint64_t>(std::max<std::int64_t>(item.integer_or("applied", 0), 0));
      counted.use = AllowanceUse::read(item);
      AllowanceUse::erase_members(item);
      item.erase("matched");
      item.erase("applied");
    }
    ORLOP_TRY(rule, read_rule(item, "rules[" + std::to_string(at) + "]", now));
    counted.rule = std::make_shared<const Rule>(std::move(rule));
    counted.number = ++out.added;
    added.push_back(std::move(counted));
  }
  out.rules.add(std::move(added));
  return {};
}

Result<void> RuleSet::read_transitions(const Value& given, Layers& out) {
  if (!given.is_object())
    return invalid_member("transitions", "must be an object like {\"cluster\": \"manual\"}, not " + shown(given));
  for (const Member& member : given.members()) {
    const std::string path = family_path(member.name.view());
    ORLOP_TRY(family, subject_family_of(Value(member.name.view()), path));
    if (family == 0) return invalid_member(path, "must name a family");
    out.transitions.erase(family);
    if (member.value.is_null()) continue;
    ORLOP_TRY(transition, read_transition(member.value, path));
    out.transitions.emplace(family, std::move(transition));
  }
  return {};
}

Result<void> RuleSet::read_pack(const Value& given, Layers& out) {
  out.pack.clear();
  out.pack_name.clear();
  if (given.is_null()) return {};
  const std::string_view text = given.is_text() ? pack_text(given.as_text()) : std::string_view();
  if (text.empty()) return invalid_member("pack", "must be " + std::string(pack_names) + ", not " + shown(given));
  ORLOP_TRY(rules, parse_stored(text));
  out.pack_name = given.as_text();
  for (const Value& item : rules.items()) {
    ORLOP_TRY(rule, read_rule(item, "the pack " + out.pack_name, {}));
    out.pack.add({std::make_shared<const Rule>(std::move(rule)), 0, 0, out.pack.size() + 1});
  }
  return {};
}

Result<void> RuleSet::read(const Value& given, Instant now, bool with_counts, Layers& out) {
  if (!given.is_object()) return invalid("the rules must be an object, not " + shown(given));
  const std::span<const std::string_view> allowed =
      with_counts ? std::span<const std::string_view>(document_members) : given_members;
  for (const Member& member : given.members()) {
    if (std::ranges::find(allowed, member.name.view()) != allowed.end()) continue;
    return invalid_member(std::string(beginning(member.name.view(), 64)),
                          "is not a member; allowed: rules, transitions and pack");
  }
  if (const Value* pack = given.find("pack")) ORLOP_CHECK(read_pack(*pack, out));
  if (const Value* transitions = given.find("transitions")) ORLOP_CHECK(read_transitions(*transitions, out));
  if (const Value* rules = given.find("rules")) ORLOP_CHECK(read_rules(*rules, now, with_counts, out));
  return {};
}

void RuleSet::note_conditions() {
  configuration_readers_.clear();
  name_readers_.clear();
  for (const OrderedRules* rules : {&layers_.rules, &layers_.pack}) {
    for (const CountedRule& counted : rules->all()) note_conditions(*counted.rule);
  }
  note_readers();
}

void RuleSet::note_conditions(const Rule& rule) {
  if (rule.subject() != RuleSubject::step) return;
  const Reader reader{rule.family, rule.step};
  const auto note = [&reader](Readers& readers) {
    if (std::ranges::find(readers, reader) == readers.end()) readers.push_back(reader);
  };
  if (!rule.configuration.empty() || !rule.ages.empty()) note(configuration_readers_);
  if (rule.name != "*" || says_name(rule)) note(name_readers_);
}

Result<void> RuleSet::add(const Value& given, Instant now) {
  const bool is_document = given.is_object() && std::ranges::any_of(given.members(), [](const Member& member) {
                             return std::ranges::find(given_members, member.name.view()) != given_members.end();
                           });
  const std::lock_guard lock(mutex_);
  if (!is_document) {
    ORLOP_TRY(rule, read_rule(given, "rule", now));
    if (layers_.rules.size() == rules_max)
      return invalid_member("rules", "must be at most " + std::to_string(rules_max) + ", not more");
    note_conditions(rule);
    note_readers();
    layers_.rules.add({std::make_shared<const Rule>(std::move(rule)), 0, 0, ++layers_.added});
    return {};
  }
  Layers layers = layers_;
  ORLOP_CHECK(read(given, now, false, layers));
  layers_ = std::move(layers);
  note_conditions();
  return {};
}

Result<void> RuleSet::replace(const Value& given, Instant now) {
  Layers layers;
  ORLOP_CHECK(read(given, now, true, layers));
  FlatMap<Id, std::shared_ptr<const Rule>> running;
  if (const Value* list = given.find("steps")) {
    for (const Value& item : list->items()) {
      const auto step = parse_id(item.text_or("step", ""));
      const Value* const rule = item.find("rule");
      if (!step || rule == nullptr)
        return invalid_member("steps", "must be a list of {\"step\", \"rule\"}, not " + shown(*list));
      ORLOP_TRY(read, read_rule(*rule, "steps.rule", now));
      if (!running.contains(*step)) running.add(*step, std::make_shared<const Rule>(std::move(read)));
    }
  }
  const std::lock_guard lock(mutex_);
  layers_ = std::move(layers);
  if (given.has("steps")) {
    running_ = std::move(running);
    note_running();
    restored_ = layers_.added;
  }
  note_conditions();
  return {};
}

void RuleSet::clear() {
  const std::lock_guard lock(mutex_);
  layers_.rules.clear();
  note_conditions();
}

bool RuleSet::counts_reads() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(layers_.transitions,
                             [](const auto& entry) { return entry.second.hold == StepHold::reads; });
}

bool RuleSet::is_empty() const {
  const std::lock_guard lock(mutex_);
  return layers_.rules.empty() && layers_.pack_name.empty() && layers_.transitions.empty() && running_.empty();
}

void RuleSet::write(Writer& out, const ScriptedDriver* running) const {
  // Before the lock: the driver calls this class with its lock held.
  const auto decided =
      running == nullptr ? std::vector<std::pair<Id, std::shared_ptr<const void>>>() : running->origins();
  const std::lock_guard lock(mutex_);
  std::vector<const CountedRule*> rules;
  for (const CountedRule& counted : layers_.rules.all()) rules.push_back(&counted);
  std::ranges::sort(rules, {}, &CountedRule::number);
  out.begin_object().key("rules").begin_list();
  for (const CountedRule* counted : rules) {
    out.begin_object().members_of(counted->rule->given);
    out.field("matched", counted->matched).field("applied", counted->applied);
    counted->use.write(out, counted->rule->allowance);
    out.end_object();
  }
  out.end_list().key("transitions").begin_object();
  for (const auto& [family, transition] : layers_.transitions) out.field(find_family(family)->name, transition.text);
  out.end_object();
  if (layers_.pack_name.empty()) out.field_null("pack");
  else out.field("pack", layers_.pack_name);
  if (running != nullptr) {
    std::map<Id, const Rule*> rules_of;
    for (const auto& [step, rule] : running_) rules_of[step] = rule.get();
    for (const auto& [step, rule] : decided) rules_of[step] = static_cast<const Rule*>(rule.get());
    out.key("steps").begin_list();
    for (const auto& [step, rule] : rules_of)
      out.begin_object().field("step", step).field("rule", rule->given).end_object();
    out.end_list();
  }
  out.end_object();
}

const Rule* RuleSet::timed_of_pack(RuledStep& step) const {
  const auto found = std::ranges::find_if(layers_.pack.all(), [&](const CountedRule& counted) {
    return counted.rule->after && applies_to(*counted.rule, step);
  });
  return found == layers_.pack.all().end() ? nullptr : found->rule.get();
}

// Draws all random values of the rule, in the order of these lines.
ScriptRule RuleSet::script(const Rule& rule, RuledStep& step) const {
  Draws draws(step.step().id, Draws::Purpose::course);
  const auto transition = layers_.transitions.find(step.step().family);
  const bool has_transition = transition != layers_.transitions.end();
  const Rule* const timed = rule.after || has_transition ? nullptr : timed_of_pack(step);
  const auto time_of = [&](const std::optional<Distribution>& time) {
    return time ? std::optional(draw(*time, draws)) : std::nullopt;
  };
  ScriptRule out;
  out.start_delay = time_of(rule.delay         ? rule.delay
                            : timed != nullptr ? timed->delay
                                               : std::nullopt)
                        .value_or(Duration());
  out.duration = time_of(rule.after         ? rule.after
                         : timed != nullptr ? timed->after
                                            : std::nullopt)
                     .value_or(has_transition ? transition->second.duration : Duration());
  out.jitter = rule.jitter;
  out.outcome = rule.outcome;
  out.reason = rule.reason;
  out.outputs = rule.outputs;
  out.running = rule.running;
  for (const RuleReport& report : rule.reports)
    out.reports.push_back({draw(report.after, draws), report.kind, report.text});
  out.contact_lost_after = time_of(rule.contact_lost_after);
  out.contact_back_after = time_of(rule.contact_back_after);
  if (out.contact_back_after) out.contact_back_after = std::max(*out.contact_back_after, *out.contact_lost_after);
  out.recap_after = time_of(rule.recap_after);
  const bool may_build = step.step().kind == StepKind::cluster_create || step.step().kind == StepKind::cluster_update ||
                         step.step().kind == StepKind::cluster_upgrade;
  if (may_build) out.build = time_of(rule.build);
  out.crash_after = time_of(rule.crash_after);
  out.cancel_delay = time_of(rule.cancel_after).value_or(Duration());
  out.title = rule.title;
  if (has_transition) {
    out.hold = transition->second.hold;
    out.reads = transition->second.reads;
  }
  if (rule.hold) out.hold = *rule.hold;
  out.hold_point = rule.hold_point;
  return out;
}

namespace {

// Reports whether the rule has the same effect on every step of a kind.
bool draws_nothing(const Rule& rule) {
  const auto is_fixed = [](const std::optional<Distribution>& time) {
    return !time || time->kind == Distribution::Kind::fixed;
  };
  const bool are_fixed = is_fixed(rule.delay) && is_fixed(rule.after) && is_fixed(rule.cancel_after) &&
                         is_fixed(rule.crash_after) && is_fixed(rule.contact_lost_after) &&
                         is_fixed(rule.contact_back_after) && is_fixed(rule.recap_after) && is_fixed(rule.build);
  return are_fixed && std::ranges::all_of(rule.reports, [](const RuleReport& report) {
           return report.after.kind == Distribution::Kind::fixed;
         });
}

// Rule of a step that only its transition decides.
const std::shared_ptr<const Rule>& nothing_said() {
  static const auto rule = std::make_shared<const Rule>();
  return rule;
}

}  // namespace

std::shared_ptr<const ScriptRule> RuleSet::made_of(const std::shared_ptr<const Rule>& rule, RuledStep& step) const {
  auto made = std::make_shared<ScriptRule>(script(*rule, step));
  if (rule != nothing_said()) made->origin = rule;
  return made;
}

std::shared_ptr<const ScriptRule> RuleSet::shared_script(const std::shared_ptr<const Rule>& rule, RuledStep& step) {
  const bool decides_alone = layers_.pack.empty() && layers_.transitions.empty();
  if (decides_alone && made_.rule == rule && made_.step == step.step().kind) return made_.script;
  auto made = made_of(rule, step);
  if (decides_alone && draws_nothing(*rule)) made_ = {rule, step.step().kind, made};
  return made;
}

// Null if no rule applies.
std::shared_ptr<const Rule> RuleSet::decide(RuledStep& step) {
  const Id id = step.step().id;
  auto* const known = running_.find(id);
  const auto note = [&](const std::shared_ptr<const Rule>& rule) {
    if (known != nullptr) *known = rule;
  };
  const auto forced = known == nullptr && !forced_.empty() ? forced_.find(step.step().subject) : forced_.end();
  if (forced != forced_.end()) {
    const auto of_kind = std::ranges::find(forced->second, step.step().kind, &Forced::step);
    const std::shared_ptr<const Rule>& rule =
        of_kind == forced->second.end() ? forced->second.back().rule : of_kind->rule;
    note(rule);
    return rule;
  }
  Draws draws(id, Draws::Purpose::choice);
  CountedRule* decided = layers_.rules.choose(step, draws, known == nullptr ? 0 : restored_);
  if (decided == nullptr && known != nullptr) return *known;
  if (decided == nullptr) decided = layers_.pack.choose(step, draws);
  std::shared_ptr<const Rule> rule = with_sources(decided == nullptr ? nullptr : decided->rule, step);
  if (rule == nullptr) return nullptr;
  note(rule);
  if (decided != nullptr) ++decided->applied;
  return rule;
}

std::shared_ptr<const ScriptRule> RuleSet::rule_for(const Step& step) {
  const std::lock_guard lock(mutex_);
  if (layers_.rules.empty() && layers_.pack.empty() && layers_.transitions.empty() && running_.empty() &&
      forced_.empty() && !has_sources())
    return nullptr;
  RuledStep ruled(step);
  std::shared_ptr<const Rule> rule = decide(ruled);
  if (rule == nullptr && !layers_.transitions.contains(step.family)) return nullptr;
  if (rule == nullptr) rule = nothing_said();
  return shared_script(rule, ruled);
}

std::shared_ptr<const ScriptRule> RuleSet::later_rule_for(const Step& step) {
  const std::lock_guard lock(mutex_);
  if (layers_.added <= restored_) return nullptr;
  RuledStep ruled(step);
  Draws draws(step.id, Draws::Purpose::choice);
  CountedRule* const decided = layers_.rules.choose(ruled, draws, restored_);
  if (decided == nullptr) return nullptr;
  ++decided->applied;
  if (auto* const known = running_.find(step.id)) *known = decided->rule;
  return made_of(decided->rule, ruled);
}

bool RuleSet::Reader::reads(const Machine& subject) const {
  const auto kind = static_cast<StepKind>(subject.step_kind);
  return (family == 0 || family == subject.family) &&
         (step == StepKind::none || kind == StepKind::none || step == kind);
}

bool RuleSet::has_sources() const {
  const Sources* const sources = sources_;
  return sources != nullptr && !sources->is_empty();
}

StepTexts RuleSet::reads(const Machine& subject) const {
  const auto step = static_cast<StepKind>(subject.step_kind);
  const bool looks = (step == StepKind::none || reads_sources(step)) && has_sources();
  if (!has_readers_) return {.name = false, .configuration = looks};
  const std::lock_guard lock(mutex_);
  const auto are_read = [&](const Readers& readers) {
    return std::ranges::any_of(readers, [&](const Reader& reader) { return reader.reads(subject); });
  };
  return {.name = !forced_.empty() || are_read(name_readers_),
          .configuration = looks || are_read(configuration_readers_)};
}

void RuleSet::force(const Id& subject, std::vector<Forced> rules) {
  const std::lock_guard lock(mutex_);
  if (rules.empty()) forced_.erase(subject);
  else forced_[subject] = std::move(rules);
  note_readers();
}

void RuleSet::ended(const Id& step) {
  if (!has_running_) return;
  const std::lock_guard lock(mutex_);
  running_.erase(step);
  note_running();
}

}  // namespace orlop
