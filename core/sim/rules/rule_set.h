// All rules of a simulation, its transitions and its pack: they determine the course of the scripted driver's steps.
//
// The most specific rule that applies decides, the last added one of those that are equally specific. If no rule
// applies, the pack decides. If the deciding rule has no delay or duration, the transition of the subject's family sets
// it, then the pack; without either the step ends at once.
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

// End of the steps of a family.
struct Transition {
  StepHold hold = StepHold::none;
  std::uint32_t reads = 0;
  Duration duration;
  std::string text;  // as given
};

class RuleSet final : public StepDecider {
 public:
  // Reads {"rules": [...], "transitions": {"cluster": "manual"}, "pack": "realistic"}, each may be left out; or one
  // rule. Adds rules, and sets the other members. All or nothing. Error invalid.
  Result<void> add(const Value& given, Instant now);
  // Replaces everything by such a document, with the counts and running steps of a snapshot. Error invalid.
  Result<void> replace(const Value& given, Instant now);
  // Removes only the rules.
  void clear();
  // Reports whether steps of some family wait for reads.
  bool counts_reads() const;
  // Reports whether a snapshot has nothing to keep of this.
  bool is_empty() const;
  // Rules for the steps of this subject that start from now on, before all others: the rule for the kind of step, or
  // the last one for all other kinds. Empty: none any more.
  struct Forced {
    StepKind step = StepKind::none;
    std::shared_ptr<const Rule> rule;
  };
  void force(const Id& subject, std::vector<Forced> rules);
  // Wait of a request, by the rule that decides about it.
  struct Wait {
    std::shared_ptr<const Rule> rule;
    Duration queued;
  };
  // Returns the wait of `request`, which is in the form of a step on its environment or cluster; nullopt: it does not
  // wait.
  std::optional<Wait> wait_of(const Step& request);
  // Returns the time from the environment's creation to its deletion; nullopt if no rule sets one.
  std::optional<Duration> lifetime_of(const Step& request);
  bool has_rules_of(RuleSubject subject) const;
  std::uint64_t count_of(RuleSubject subject) const;
  // Sets where steps look for what they deploy: a step that does not find it fails instead of succeeding. Null:
  // everything exists. Must outlive this, or be reset.
  void set_sources(const Sources* sources);
  std::uint64_t additions() const;
  // State for a simulation that goes back.
  class Memory;
  std::shared_ptr<const Memory> memory() const;
  void go_back(const Memory& memory);
  // Writes what replace() reads, with counts, and for snapshots with the rules of the driver's running steps.
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
  // Decides by rules of requests or of environments; draws derive from `by`. Null if no rule applies.
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
  // Pairs of family and step whose configuration, or whose name, some rule reads; of other steps these are not made.
  struct Reader {
    FamilyNumber family = 0;         // 0: any
    StepKind step = StepKind::none;  // none: any
    friend bool operator==(const Reader&, const Reader&) = default;
    bool reads(const Machine& subject) const;
  };
  using Readers = std::vector<Reader>;
  Readers configuration_readers_;
  Readers name_readers_;
  std::atomic<bool> has_readers_ = false;  // whether either, or forced_, has entries; if not, no lock
  // Rules of the steps that ran in the snapshot, were decided by a rule, and have not ended. A step keeps its rule,
  // unless one that was added after the snapshot was opened applies: its number is above restored_. The driver has the
  // rules of other steps (ScriptRule::origin).
  std::uint64_t restored_ = UINT64_MAX;
  FlatMap<Id, std::shared_ptr<const Rule>> running_;
  std::atomic<bool> has_running_ = false;               // whether running_ has entries; if not, ended() takes no lock
  std::unordered_map<Id, std::vector<Forced>> forced_;  // by subject
  // The last script without random values, and its steps.
  struct Made {
    std::shared_ptr<const Rule> rule;
    StepKind step = StepKind::none;
    std::shared_ptr<const ScriptRule> script;
  };
  Made made_;
};

// Returns the rules of a pack as a JSON list; empty if there is no such pack.
std::string_view pack_text(std::string_view name);
inline constexpr std::string_view pack_names = "instant, realistic or chaos";

}  // namespace orlop
