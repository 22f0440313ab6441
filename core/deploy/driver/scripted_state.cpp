// State of a scripted driver without its decider: in memory for a simulation that goes back or forks, and as JSON for a
// snapshot.
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/scripted_driver.h"

namespace orlop {

class ScriptedDriver::Memory {
 public:
  FlatMap<Id, Running> running;
  std::unordered_map<Id, Id> held;
  std::unordered_map<Id, Id> crashing;
  std::unordered_set<Id> awaited;
  Deadlines queue;
  Instant now;
};

std::shared_ptr<const ScriptedDriver::Memory> ScriptedDriver::memory() const {
  const std::lock_guard lock(mutex_);
  auto memory = std::make_shared<Memory>();
  *memory = {running_, held_, crashing_, awaited_, queue_, now_};
  return memory;
}

void ScriptedDriver::go_back(const Memory& memory) {
  const Changing lock(*this);
  running_ = memory.running;
  for (const auto& [step, running] : memory.running) running_.find(step)->is_restored = !running.has_ended;
  held_ = memory.held;
  held_count_ = held_.size();
  crashing_ = memory.crashing;
  awaited_ = memory.awaited;
  queue_ = memory.queue;
  now_ = memory.now;
}

bool ScriptedDriver::is_empty() const {
  const std::lock_guard lock(mutex_);
  return running_.empty() && awaited_.empty();
}

// Times are in milliseconds; members that are 0 or empty are left out.
namespace {

void put(Writer& out, std::string_view name, std::int64_t given) {
  if (given != 0) out.field(name, given);
}
void put(Writer& out, std::string_view name, Duration given) { put(out, name, given.milliseconds); }
void put(Writer& out, std::string_view name, std::string_view given) {
  if (!given.empty()) out.field(name, given);
}
template <typename Enum>
requires std::is_enum_v<Enum>
void put(Writer& out, std::string_view name, Enum given) { put(out, name, static_cast<std::int64_t>(given)); }
void put_optional(Writer& out, std::string_view name, const std::optional<Duration>& given) {
  if (given) out.field(name, given->milliseconds);
}
void put_optional(Writer& out, std::string_view name, const OptionalInstant& given) {
  if (given) out.field(name, given->milliseconds);
}

// Reads what was written. In an edited snapshot a number may be out of range: it is read as 0, and outcome() names it.
class Reading {
 public:
  std::int64_t number(const Value& given, std::string_view name, std::int64_t least, std::int64_t most) {
    const std::int64_t number = given.integer_or(name, 0);
    if (number >= least && number <= most) return number;
    if (outcome_)
      outcome_ =
          make_error(ErrorCode::invalid,
                     "the member " + std::string(name) + " of a running step in the snapshot must be from " +
                         std::to_string(least) + " to " + std::to_string(most) + ", not " + std::to_string(number));
    return 0;
  }
  std::uint32_t count(const Value& given, std::string_view name) {
    return static_cast<std::uint32_t>(number(given, name, 0, UINT32_MAX));
  }
  Duration duration(const Value& given, std::string_view name) {
    return {number(given, name, -milliseconds_max, milliseconds_max)};
  }
  std::optional<Duration> optional(const Value& given, std::string_view name) {
    return given.has(name) ? std::optional(duration(given, name)) : std::nullopt;
  }
  OptionalInstant instant(const Value& given, std::string_view name) {
    return given.has(name) ? OptionalInstant(Instant{duration(given, name).milliseconds}) : OptionalInstant();
  }
  // `last`: greatest number of the enumeration.
  template <typename Enum>
  Enum one_of(const Value& given, std::string_view name, Enum last) {
    return static_cast<Enum>(number(given, name, 0, static_cast<std::int64_t>(last)));
  }
  const Result<void>& outcome() const { return outcome_; }

 private:
  static constexpr std::int64_t milliseconds_max = 253'402'300'799'999;  // the year 9999

  Result<void> outcome_;
};

Id id_in(const Value& given, std::string_view name) { return parse_id(given.text_or(name, "")).value_or(Id()); }
template <typename Take>
void for_each_in(const Value& given, std::string_view name, const Take& take) {
  const Value* const list = given.find(name);
  if (list == nullptr || !list->is_list()) return;
  for (const Value& item : list->items()) take(item);
}

void write_rule(Writer& out, const ScriptRule& rule) {
  out.begin_object();
  put(out, "start_delay", rule.start_delay);
  put(out, "duration", rule.duration);
  put(out, "jitter", rule.jitter);
  put(out, "outcome", rule.outcome);
  put(out, "reason", rule.reason);
  put(out, "outputs", rule.outputs);
  put(out, "running", rule.running);
  if (!rule.reports.empty()) {
    out.key("reports").begin_list();
    for (const ScriptedReport& report : rule.reports) {
      out.begin_object();
      put(out, "after", report.after);
      put(out, "kind", report.kind);
      put(out, "text", report.text);
      out.end_object();
    }
    out.end_list();
  }
  put_optional(out, "contact_lost_after", rule.contact_lost_after);
  put_optional(out, "contact_back_after", rule.contact_back_after);
  put_optional(out, "crash_after", rule.crash_after);
  put(out, "cancel_delay", rule.cancel_delay);
  put_optional(out, "build", rule.build);
  put_optional(out, "recap_after", rule.recap_after);
  put(out, "hold", rule.hold);
  put(out, "hold_point", rule.hold_point);
  put(out, "reads", std::int64_t{rule.reads});
  put(out, "title", rule.title);
  out.end_object();
}

ScriptRule read_rule(Reading& reading, const Value& given) {
  ScriptRule rule;
  rule.start_delay = reading.duration(given, "start_delay");
  rule.duration = reading.duration(given, "duration");
  rule.jitter = reading.duration(given, "jitter");
  rule.outcome = reading.one_of(given, "outcome", ScriptOutcome::hang);
  rule.reason = given.text_or("reason", "");
  rule.outputs = given.text_or("outputs", "");
  rule.running = reading.one_of(given, "running", RunningState::unknown);
  for_each_in(given, "reports", [&](const Value& item) {
    rule.reports.push_back({reading.duration(item, "after"), reading.one_of(item, "kind", ReportKind::recap_started),
                            std::string(item.text_or("text", ""))});
  });
  rule.contact_lost_after = reading.optional(given, "contact_lost_after");
  rule.contact_back_after = reading.optional(given, "contact_back_after");
  rule.crash_after = reading.optional(given, "crash_after");
  rule.cancel_delay = reading.duration(given, "cancel_delay");
  rule.build = reading.optional(given, "build");
  rule.recap_after = reading.optional(given, "recap_after");
  rule.hold = reading.one_of(given, "hold", StepHold::manual);
  rule.hold_point = reading.one_of(given, "hold_point", HoldPoint::cancel);
  rule.reads = reading.count(given, "reads");
  rule.title = given.text_or("title", "");
  return rule;
}

template <typename Reports>
void write_reports(Writer& out, std::string_view name, const Reports& reports, std::size_t from) {
  if (from == reports.size()) return;
  out.key(name).begin_list();
  for (; from < reports.size(); ++from) {
    out.begin_object().field("due", reports[from].due.milliseconds);
    put(out, "kind", reports[from].kind);
    put(out, "running", reports[from].running);
    if (reports[from].text != nullptr) out.field("text", *reports[from].text);
    out.end_object();
  }
  out.end_list();
}

template <typename Reports>
void read_reports(Reading& reading, const Value& given, std::string_view name, Reports& reports) {
  for_each_in(given, name, [&](const Value& item) {
    reports.push_back({reading.instant(item, "due").value_or(Instant()),
                       reading.one_of(item, "kind", ReportKind::recap_started),
                       reading.one_of(item, "running", RunningState::unknown), nullptr});
    if (const std::string_view text = item.text_or("text", ""); !text.empty())
      reports.back().text = std::make_shared<const std::string>(text);
  });
}

}  // namespace

void ScriptedDriver::write_running(Writer& out, const Id& step, const Running& running) const {
  out.begin_object().field("step", step).field("subject", running.subject);
  put(out, "kind", running.kind);
  if (running.rule != nullptr && !running.has_ended) {
    out.key("rule");
    write_rule(out, *running.rule);
  }
  write_reports(out, "reports", running.reports, running.next);
  write_reports(out, "withheld", running.withheld, 0);
  put_optional(out, "held_since", running.held_since);
  put_optional(out, "released_at", running.released_at);
  put(out, "cancel_delay", running.cancel_delay);
  put_optional(out, "canceling_since", running.canceling_since);
  put(out, "reads", std::int64_t{running.reads});
  const auto held = held_.find(running.subject);
  const std::pair<std::string_view, bool> flags[] = {
      {"waits", running.waiting != nullptr},        {"is_held", held != held_.end() && held->second == step},
      {"is_contact_lost", running.is_contact_lost}, {"is_canceled", running.is_canceled},
      {"is_cancel_held", running.is_cancel_held},   {"has_ended", running.has_ended}};
  for (const auto& [name, is_set] : flags) {
    if (is_set) out.field(name, true);
  }
  out.end_object();
}

std::vector<std::pair<Id, std::shared_ptr<const void>>> ScriptedDriver::origins() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<Id, std::shared_ptr<const void>>> found;
  for (const auto& [step, running] : running_) {
    if (!running.has_ended && running.rule != nullptr && running.rule->origin != nullptr)
      found.emplace_back(step, running.rule->origin);
  }
  std::ranges::sort(found, {}, &std::pair<Id, std::shared_ptr<const void>>::first);
  return found;
}

void ScriptedDriver::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  std::vector<Id> steps;
  for (const auto& [step, running] : running_) steps.push_back(step);
  std::vector<Id> awaited(awaited_.begin(), awaited_.end());
  std::ranges::sort(steps);
  std::ranges::sort(awaited);
  out.begin_object().key("steps").begin_list();
  for (const Id& step : steps) write_running(out, step, *running_.find(step));
  out.end_list().key("awaited").begin_list();
  for (const Id& subject : awaited) out.value(to_text(subject));
  out.end_list().end_object();
}

Result<void> ScriptedDriver::restore_running(const Value& given) {
  Reading reading;
  const Id step = id_in(given, "step");
  Running& running = running_[step];
  running.subject = id_in(given, "subject");
  running.kind = reading.one_of(given, "kind", StepKind::task);
  const Value* const rule = given.find("rule");
  running.rule = std::make_shared<const ScriptRule>(rule == nullptr ? ScriptRule() : read_rule(reading, *rule));
  read_reports(reading, given, "reports", running.reports);
  read_reports(reading, given, "withheld", running.withheld);
  running.held_since = reading.instant(given, "held_since");
  running.released_at = reading.instant(given, "released_at");
  running.cancel_delay = reading.duration(given, "cancel_delay");
  running.canceling_since = reading.instant(given, "canceling_since");
  running.reads = reading.count(given, "reads");
  if (given.boolean_or("waits", false)) running.waiting = std::make_shared<const Step>();  // until it is started again
  running.is_contact_lost = given.boolean_or("is_contact_lost", false);
  running.is_canceled = given.boolean_or("is_canceled", false);
  running.is_cancel_held = given.boolean_or("is_cancel_held", false);
  running.has_ended = given.boolean_or("has_ended", false);
  running.is_restored = !running.has_ended;
  if (given.boolean_or("is_held", false)) held_[running.subject] = step;
  if (running.has_ended) crashing_[running.subject] = step;
  queue(step, running);
  return reading.outcome();
}

Result<void> ScriptedDriver::restore(const Value& given) {
  const Changing lock(*this);
  Result<void> outcome;
  for_each_in(given, "steps", [&](const Value& item) {
    if (outcome) outcome = restore_running(item);
  });
  ORLOP_CHECK(outcome);
  held_count_ = held_.size();
  for_each_in(given, "awaited", [this](const Value& item) {
    if (const auto id = item.is_text() ? parse_id(item.as_text()) : std::nullopt) awaited_.insert(*id);
  });
  return {};
}

}  // namespace orlop
