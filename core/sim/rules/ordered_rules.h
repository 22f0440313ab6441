// Rules in the order in which they are checked: the most specific first, then the last added. Rules for one name
// without a wildcard are found by it, so that a step costs only the rules that may apply to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/rules/allowance.h"
#include "sim/rules/draws.h"
#include "sim/rules/rule.h"

namespace orlop {

struct CountedRule {
  std::shared_ptr<const Rule> rule;
  std::uint64_t matched = 0;  // steps that matched its conditions
  std::uint64_t applied = 0;  // steps whose outcome it decided
  std::uint64_t number = 0;   // counts additions
  AllowanceUse use = {};
};

class OrderedRules {
 public:
  // The number must be greater than those added before.
  void add(CountedRule rule);
  // Adds several rules and sorts once.
  void add(std::vector<CountedRule> rules);
  void clear() { *this = {}; }

  // In the order of checking.
  const std::vector<CountedRule>& all() const { return rules_; }
  bool empty() const { return rules_.empty(); }
  std::size_t size() const { return rules_.size(); }
  std::uint64_t count_of(RuleSubject subject) const { return counts_[static_cast<std::size_t>(subject)]; }

  // Returns the first rule that applies, of those with a number greater than `after`; null if none. Draws once for each
  // checked rule with a probability, and once for each group of weighted rules.
  CountedRule* choose(RuledStep& step, Draws& draws, std::uint64_t after = 0);

 private:
  // A rule by the hash of its name. Rules with equal hashes are candidates for each other's names.
  struct Named {
    std::size_t hash;
    std::uint32_t position;
    friend auto operator<=>(const Named&, const Named&) = default;
  };

 public:
  // Positions of the rules that may apply to a name, in their order.
  class Candidates {
   public:
    Candidates(std::span<const Named> named, std::span<const std::uint32_t> unnamed)
        : named_(named), unnamed_(unnamed) {}
    bool empty() const { return named_.empty() && unnamed_.empty(); }
    std::size_t size() const { return named_.size() + unnamed_.size(); }
    // Removes and returns the first one.
    std::uint32_t take() {
      const bool is_named = unnamed_.empty() || (!named_.empty() && named_.front().position < unnamed_.front());
      const std::uint32_t position = is_named ? named_.front().position : unnamed_.front();
      if (is_named) named_ = named_.subspan(1);
      else unnamed_ = unnamed_.subspan(1);
      return position;
    }

   private:
    std::span<const Named> named_;
    std::span<const std::uint32_t> unnamed_;
  };
  Candidates candidates(std::string_view name) const;

 private:
  void note(std::uint32_t position);

  std::vector<CountedRule> rules_;
  std::vector<Named> named_;               // sorted
  std::vector<std::uint32_t> unnamed_;     // positions of all others, sorted
  std::array<std::uint64_t, 3> counts_{};  // by subject
};

}  // namespace orlop
