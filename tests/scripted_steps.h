// The scripted driver with rules of a test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "deploy/driver/scripted_driver.h"

namespace orlop {

// A rule and the steps to which it applies. A member with its default applies to all.
struct StepRule : ScriptRule {
  FamilyNumber family = 0;
  StepKind step = StepKind::none;
  std::string name = "*";  // of the subject; * stands for any text, ? for one byte
  std::uint32_t attempt = 0;

  bool applies_to(const Step& given) const {
    return (family == 0 || family == given.family) && (step == StepKind::none || step == given.kind) &&
           matches(name, given.name) && (attempt == 0 || attempt == given.attempt);
  }
};

// The first rule that applies decides a step. A step without one succeeds at once.
class ScriptedSteps : public ScriptedDriver {
 public:
  explicit ScriptedSteps(std::vector<StepRule> rules = {}) {
    decider_.rules = std::move(rules);
    set_decider(decider_);
  }
  // Call before the first step starts.
  void add_rule(StepRule rule) { decider_.rules.push_back(std::move(rule)); }

 private:
  struct Decider : StepDecider {
    std::shared_ptr<const ScriptRule> rule_for(const Step& step) override {
      for (const StepRule& rule : rules) {
        if (rule.applies_to(step)) return std::make_shared<const ScriptRule>(rule);
      }
      return nullptr;
    }
    std::shared_ptr<const ScriptRule> later_rule_for(const Step&) override { return nullptr; }
    StepTexts reads(const Machine&) const override { return {.name = true, .configuration = false}; }
    void ended(const Id&) override {}

    std::vector<StepRule> rules;
  };

  Decider decider_;
};

}  // namespace orlop
