// Rules in the order in which they are looked at: the most specific first, then the last added. Rules for one name,
// which has no wildcard, are found by it: a step costs as much as the rules that may apply to it.
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
  std::uint64_t matched = 0;  // steps that it was asked about
  std::uint64_t applied = 0;  // of these, those that it decided
  std::uint64_t number = 0;   // of its addition
  AllowanceUse use = {};
};

class OrderedRules {
 public:
  // Numbers grow from one addition to the next.
  void add(CountedRule rule);
  // Many are sorted once.
  void add(std::vector<CountedRule> rules);
  void clear() { *this = {}; }

  // In their order.
  const std::vector<CountedRule>& all() const { return rules_; }
  bool empty() const { return rules_.empty(); }
  std::size_t size() const { return rules_.size(); }
  std::uint64_t count_of(RuleSubject subject) const { return counts_[static_cast<std::size_t>(subject)]; }

  // The first that applies, of those whose number is greater than `after`; nullptr: none does. Draws once for each rule
  // with a probability that it comes to, and once for each group of weighted rules.
  CountedRule* choose(RuledStep& step, Draws& draws, std::uint64_t after = 0);

 private:
  // A rule by the hash of its name. Rules with equal hashes are candidates for each other's names.
  struct Named {
    std::size_t hash;
    std::uint32_t position;
    friend auto operator<=>(const Named&, const Named&) = default;
  };

 public:
  // The positions of the rules that may apply to what has a name, in their order.
  class Candidates {
   public:
    Candidates(std::span<const Named> named, std::span<const std::uint32_t> unnamed)
        : named_(named), unnamed_(unnamed) {}
    bool empty() const { return named_.empty() && unnamed_.empty(); }
    std::size_t size() const { return named_.size() + unnamed_.size(); }
    // The first one, which is then gone.
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
  std::vector<std::uint32_t> unnamed_;     // the positions of all others, sorted
  std::array<std::uint64_t, 3> counts_{};  // by subject
};

}  // namespace orlop
