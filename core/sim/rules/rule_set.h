// All rules of a simulation, its transitions and its pack: they decide what the scripted driver does with a step.
//
// The most specific rule that applies decides, the last added one of those that are equally specific. Where no rule
// applies, the pack decides. What the deciding rule leaves out of delay and duration comes from the transition of the
// subject's family, then from the pack; without either the step ends at once.
//
// Threads: every function may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "deploy/driver/scripted_driver.h"
#include "model/value.h"
#include "sim/rules/ordered_rules.h"
#include "sim/rules/rule.h"
#include "sim/sources/sources.h"
#include "wire/writer.h"

namespace orlop {

// How the steps of a family come to their end.
struct Transition {
  StepHold hold = StepHold::none;
  std::uint32_t reads = 0;
  Duration duration;
  std::string text;  // as it was given
};

class RuleSet final : public StepDecider {
 public:
  // {"rules": [...], "transitions": {"cluster": "manual"}, "pack": "realistic"}, each may be left out; or one rule.
  // Adds rules, sets what else is given. All or nothing. Error invalid.
  Result<void> add(const Value& given, Instant now);
  // The same in the place of all that was there, with the counts and running steps of a snapshot. Error invalid.
  Result<void> replace(const Value& given, Instant now);
  // The rules only.
  void clear();
  // Whether steps of some family wait for reads.
  bool counts_reads() const;
  // Whether there is nothing that a snapshot would have to keep.
  bool is_empty() const;
  // What steps of this subject do that start from now on, whatever else applies: the rule for the kind of step, or the
  // last one for all others. Empty: no longer.
  struct Forced {
    StepKind step = StepKind::none;
    std::shared_ptr<const Rule> rule;
  };
  void force(const Id& subject, std::vector<Forced> rules);
  // What a request waits for, as the rule says that decides about it.
  struct Wait {
    std::shared_ptr<const Rule> rule;
    Duration queued;
  };
  // `request` says what is requested in the form of a step: of which environment or cluster, and of a cluster the step.
  // Nothing: it does not wait.
  std::optional<Wait> wait_of(const Step& request);
  // How long the environment lasts from its creation; nothing: no rule says it.
  std::optional<Duration> lifetime_of(const Step& request);
  bool has_rules_of(RuleSubject subject) const;
  std::uint64_t count_of(RuleSubject subject) const;
  // Where steps find what they deploy, which makes those fail that would succeed without it; nullptr: everything is
  // there. Must outlive this, or be taken away.
  void set_sources(const Sources* sources);
  // How many rules have been added.
  std::uint64_t additions() const;
  // All that this holds, for a simulation that goes back.
  class Memory;
  std::shared_ptr<const Memory> memory() const;
  void go_back(const Memory& memory);
  // As replace() takes it; with counts, and for snapshots the rules of the steps that run by the driver.
  void write(Writer& out, const ScriptedDriver* running = nullptr) const;

  std::shared_ptr<const ScriptRule> rule_for(const Step& step) override;
  std::shared_ptr<const ScriptRule> later_rule_for(const Step& step) override;
  StepTexts reads(const Machine& subject) const override;
  void ended(const Id& step) override;

 private:
  struct Layers {
    OrderedRules rules;
    OrderedRules pack;
    std::uint64_t added = 0;
    std::string pack_name;
    std::map<FamilyNumber, Transition> transitions;
  };

  static Result<void> read(const Value& given, Instant now, bool with_counts, Layers& out);
  static Result<void> read_rules(const Value& given, Instant now, bool with_counts, Layers& out);
  static Result<void> read_transitions(const Value& given, Layers& out);
  static Result<void> read_pack(const Value& given, Layers& out);
  std::shared_ptr<const Rule> decide(RuledStep& step);
  // Of rules of requests or of environments; `by` is what the draws follow from. nullptr: no rule applies.
  std::shared_ptr<const Rule> decide_about(const Step& request, RuleSubject subject, const Id& by);
  std::shared_ptr<const Rule> with_sources(std::shared_ptr<const Rule> rule, RuledStep& step) const;
  const Rule* timed_of_pack(RuledStep& step) const;
  ScriptRule script(const Rule& rule, RuledStep& step) const;
  std::shared_ptr<const ScriptRule> made_of(const std::shared_ptr<const Rule>& rule, RuledStep& step) const;
  std::shared_ptr<const ScriptRule> shared_script(const std::shared_ptr<const Rule>& rule, RuledStep& step);
  void note_conditions();
  void note_conditions(const Rule& rule);
  void note_readers() { has_readers_ = !configuration_readers_.empty() || !name_readers_.empty() || !forced_.empty(); }
  bool has_sources() const;
  void note_running() { has_running_ = !running_.empty(); }

  mutable std::mutex mutex_;
  std::atomic<const Sources*> sources_ = nullptr;
  Layers layers_;
  // The steps whose configuration some rule has a condition on, and those whose name some rule looks at, each pair of
  // family and step once: of all others none is made.
  struct Reader {
    FamilyNumber family = 0;         // 0: any
    StepKind step = StepKind::none;  // none: any
    friend bool operator==(const Reader&, const Reader&) = default;
    bool reads(const Machine& subject) const;
  };
  using Readers = std::vector<Reader>;
  Readers configuration_readers_;
  Readers name_readers_;
  std::atomic<bool> has_readers_ = false;  // of either, or forced_: a simulation without takes no lock
  // Of each step that was running in the snapshot, that a rule had decided, and that has not ended: the rule as it was
  // then. It keeps that, unless a rule that was added after the snapshot was opened applies: the number of the last
  // rule before. Of the others the driver has it (ScriptRule::origin).
  std::uint64_t restored_ = UINT64_MAX;
  FlatMap<Id, std::shared_ptr<const Rule>> running_;
  std::atomic<bool> has_running_ = false;               // that it holds some: a step that ends takes no lock else
  std::unordered_map<Id, std::vector<Forced>> forced_;  // by subject
  // The last script in which nothing was drawn, of these steps.
  struct Made {
    std::shared_ptr<const Rule> rule;
    StepKind step = StepKind::none;
    std::shared_ptr<const ScriptRule> script;
  };
  Made made_;
};

// The rules of a pack as a JSON list; "" if there is no such pack.
std::string_view pack_text(std::string_view name);
inline constexpr std::string_view pack_names = "instant, realistic or chaos";

}  // namespace orlop
