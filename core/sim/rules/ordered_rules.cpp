#include "sim/rules/ordered_rules.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace orlop {
namespace {

bool goes_before(const CountedRule& left, const CountedRule& right) {
  return left.rule->specificity != right.rule->specificity ? left.rule->specificity > right.rule->specificity
                                                           : left.number > right.number;
}

bool has_wildcard(std::string_view name) { return name.find_first_of("*?") != std::string_view::npos; }

std::size_t hash_of(std::string_view name) { return std::hash<std::string_view>()(name); }

bool is_open(const Rule& rule, Instant now) {
  return (!rule.from || now >= *rule.from) && (!rule.until || now < *rule.until);
}

}  // namespace

OrderedRules::Candidates OrderedRules::candidates(std::string_view name) const {
  if (named_.empty()) return {{}, unnamed_};
  const std::size_t hash = hash_of(name);
  const auto begin = std::ranges::lower_bound(named_, hash, {}, &Named::hash);
  const auto end = std::ranges::upper_bound(begin, named_.end(), hash, {}, &Named::hash);
  return {{begin, end}, unnamed_};
}

// Enters the rule at the position into the index. Positions after it are correct already.
void OrderedRules::note(std::uint32_t position) {
  const Rule& rule = *rules_[position].rule;
  ++counts_[static_cast<std::size_t>(rule.subject())];
  if (has_wildcard(rule.name)) {
    unnamed_.insert(std::ranges::lower_bound(unnamed_, position), position);
    return;
  }
  const Named named{hash_of(rule.name), position};
  named_.insert(std::ranges::lower_bound(named_, named), named);
}

void OrderedRules::add(CountedRule rule) {
  const auto before = std::ranges::lower_bound(rules_, rule, goes_before);
  const auto position = static_cast<std::uint32_t>(before - rules_.begin());
  rules_.insert(before, std::move(rule));
  for (Named& named : named_) named.position += named.position >= position ? 1 : 0;
  for (std::uint32_t& unnamed : unnamed_) unnamed += unnamed >= position ? 1 : 0;
  note(position);
}

void OrderedRules::add(std::vector<CountedRule> rules) {
  if (rules.size() == 1) return add(std::move(rules.front()));
  std::ranges::move(rules, std::back_inserter(rules_));
  std::ranges::sort(rules_, goes_before);
  named_.clear();
  unnamed_.clear();
  counts_ = {};
  for (std::uint32_t position = 0; position < rules_.size(); ++position) {
    const Rule& rule = *rules_[position].rule;
    ++counts_[static_cast<std::size_t>(rule.subject())];
    if (has_wildcard(rule.name)) unnamed_.push_back(position);
    else named_.push_back({hash_of(rule.name), position});
  }
  std::ranges::sort(named_);
}

CountedRule* OrderedRules::choose(RuledStep& step, Draws& draws, std::uint64_t after) {
  const auto is_fit = [&](const CountedRule& counted) {
    const Rule& rule = *counted.rule;
    return counted.number > after && (rule.times == 0 || counted.applied < rule.times) &&
           is_open(rule, step.step().started_at) && applies_to(rule, step);
  };
  const auto counts = [&](CountedRule& counted) {
    const bool is_nth = ++counted.matched % std::max<std::uint32_t>(counted.rule->every, 1) == 0;
    return counted.use.goes_over(counted.rule->allowance, step.step().started_at) && is_nth;
  };
  int weighed = -1;  // specificity of the weighted rules that were drawn from
  Candidates left = candidates(step.step().name);
  while (!left.empty()) {
    Candidates group = left;  // of weighted rules, if this is the first of one
    CountedRule& counted = rules_[left.take()];
    const Rule& rule = *counted.rule;
    if ((rule.weight > 0 && rule.specificity == weighed) || !is_fit(counted)) continue;
    if (rule.weight == 0) {
      if (!counts(counted) || (rule.probability && draws.unit() >= *rule.probability)) continue;
      return &counted;
    }
    weighed = rule.specificity;
    double sum = 0;
    std::vector<CountedRule*> lots;
    while (!group.empty()) {
      CountedRule& other = rules_[group.take()];
      if (other.rule->specificity != weighed) break;
      if (other.rule->weight == 0 || !is_fit(other) || !counts(other)) continue;
      lots.push_back(&other);
      sum += other.rule->weight;
    }
    double drawn = draws.unit() * sum;
    for (CountedRule* lot : lots) {
      drawn -= lot->rule->weight;
      if (drawn < 0) return lot;
    }
    if (!lots.empty()) return lots.back();
  }
  return nullptr;
}

}  // namespace orlop
