#include "sim/rules/ordered_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "model/registry.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr Instant first_start = {1'767'268'800'000};

CountedRule rule_of(const std::string& json, std::uint64_t number) {
  auto rule = read_rule(parse_json(json).value(), "rule", first_start);
  EXPECT_TRUE(rule.ok()) << rule.error().message;
  return {std::make_shared<const Rule>(std::move(rule).value()), 0, 0, number};
}

// Specification of choose(): examines every rule.
CountedRule* scanned(std::vector<CountedRule>& rules, RuledStep& step, Draws& draws, std::uint64_t after) {
  const auto is_fit = [&](const CountedRule& counted) {
    const Rule& rule = *counted.rule;
    const bool is_open =
        (!rule.from || step.step().started_at >= *rule.from) && (!rule.until || step.step().started_at < *rule.until);
    return counted.number > after && (rule.times == 0 || counted.applied < rule.times) && is_open &&
           applies_to(rule, step);
  };
  const auto counts = [&](CountedRule& counted) {
    const bool is_nth = ++counted.matched % std::max<std::uint32_t>(counted.rule->every, 1) == 0;
    return counted.use.goes_over(counted.rule->allowance, step.step().started_at) && is_nth;
  };
  int weighed = -1;
  for (CountedRule& counted : rules) {
    const Rule& rule = *counted.rule;
    if ((rule.weight > 0 && rule.specificity == weighed) || !is_fit(counted)) continue;
    if (rule.weight == 0) {
      if (!counts(counted) || (rule.probability && draws.unit() >= *rule.probability)) continue;
      return &counted;
    }
    weighed = rule.specificity;
    std::vector<CountedRule*> lots;
    double sum = 0;
    for (CountedRule& other : rules) {
      if (other.rule->specificity != weighed || other.rule->weight == 0 || !is_fit(other) || !counts(other)) continue;
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

class RandomChoices {
 public:
  explicit RandomChoices(unsigned seed) : bits_(seed) {}
  unsigned below(unsigned bound) { return static_cast<unsigned>(bits_() % bound); }
  std::string one_of(const std::vector<std::string>& texts) {
    return texts[below(static_cast<unsigned>(texts.size()))];
  }

 private:
  std::mt19937 bits_;
};

std::string random_rule(RandomChoices& random) {
  if (random.below(20) == 0)
    return R"({"kind":"environment","name":")" + random.one_of({"web", "*", "w?b"}) + R"(","queued":"1m"})";
  if (random.below(20) == 0) return R"({"name":")" + random.one_of({"web", "api"}) + R"(","lasts":"1h"})";
  std::string rule = "{\"name\":\"" + random.one_of({"web", "api", "worker", "*", "", "w*", "?pi", "a*i", "we"}) + '"';
  rule += random.one_of({"", "", R"(,"step":"deploy")", R"(,"step":"stop")"}) +
          random.one_of({"", "", R"(,"kind":"container")", R"(,"attempt":2)"});
  rule += random.one_of({"", "", "", R"(,"weight":1)", R"(,"weight":3)", R"(,"probability":0.5)"});
  rule += random.one_of(
      {"", "", "", R"(,"times":3)", R"(,"every":2)", R"(,"over":2,"per":"30s")", R"(,"from":"20s","until":"80s")"});
  return rule + '}';
}

Step random_step(RandomChoices& random, unsigned number) {
  Step step;
  for (std::size_t at = 0; at < 4; ++at) step.id.bytes[at] = static_cast<std::uint8_t>(number >> (8 * at));
  step.kind = random.below(2) == 0 ? StepKind::deploy : StepKind::stop;
  step.family = find_family(random.one_of({"container", "database"}))->number;
  step.attempt = 1 + random.below(2);
  step.name = random.one_of({"web", "api", "worker", "other", "", "wasp"});
  step.started_at = first_start + seconds(number);
  return step;
}

std::string text_of(const std::vector<CountedRule>& rules) {
  std::string text;
  for (const CountedRule& counted : rules) {
    Writer used;
    used.begin_object();
    counted.use.write(used, counted.rule->allowance);
    used.end_object();
    text += std::to_string(counted.number) + ": " + std::to_string(counted.matched) + ' ' +
            std::to_string(counted.applied) + ' ' + std::move(used).take() + '\n';
  }
  return text;
}

// Rules are added one at a time and together, between steps; sometimes the set is replaced by a copy, as in a saved
// state.
TEST(OrderedRules, ChooseAsALookAtEveryRuleDoes) {
  std::size_t decided = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    RandomChoices random(seed);
    OrderedRules rules;
    std::vector<CountedRule> plain;
    std::uint64_t added = 0;
    for (unsigned number = 0; number < 100; ++number) {
      if (number % 8 == 0) {
        std::vector<CountedRule> made;
        for (unsigned left = random.below(7); left > 0; --left) made.push_back(rule_of(random_rule(random), ++added));
        plain.insert(plain.end(), made.begin(), made.end());
        std::ranges::sort(plain, [](const CountedRule& left, const CountedRule& right) {
          return std::pair(-left.rule->specificity, -static_cast<int>(left.number)) <
                 std::pair(-right.rule->specificity, -static_cast<int>(right.number));
        });
        if (random.below(2) == 0) rules.add(std::move(made));
        else
          for (CountedRule& each : made) rules.add(std::move(each));
      }
      if (random.below(10) == 0) {
        const OrderedRules saved = rules;
        rules.clear();
        rules = saved;
      }
      const Step step = random_step(random, number);
      const auto subject = static_cast<RuleSubject>(random.below(8) < 6 ? 0 : 1 + random.below(2));
      const std::uint64_t after = random.below(4) == 0 ? added / 2 : 0;
      RuledStep ruled(step, subject);
      Draws draws(step.id, Draws::Purpose::choice);
      Draws plain_draws = draws;
      CountedRule* const found = rules.choose(ruled, draws, after);
      CountedRule* const expected = scanned(plain, ruled, plain_draws, after);
      ASSERT_EQ(found == nullptr ? 0 : found->number, expected == nullptr ? 0 : expected->number)
          << "seed " << seed << ", step " << number;
      ASSERT_EQ(draws.bits(), plain_draws.bits()) << "seed " << seed << ", step " << number;
      if (found == nullptr) continue;
      ++decided;
      ++found->applied;
      ++expected->applied;
    }
    ASSERT_EQ(text_of(rules.all()), text_of(plain)) << "seed " << seed;
    for (const RuleSubject subject : {RuleSubject::step, RuleSubject::request, RuleSubject::environment}) {
      ASSERT_EQ(rules.count_of(subject),
                static_cast<std::uint64_t>(std::ranges::count_if(
                    plain, [&](const CountedRule& each) { return each.rule->subject() == subject; })));
    }
  }
  EXPECT_GT(decided, 20'000U);
}

TEST(OrderedRules, AStepLooksOnlyAtTheRulesForItsName) {
  constexpr std::uint64_t services = 5000;
  OrderedRules rules;
  std::vector<CountedRule> made;
  for (std::uint64_t number = 1; number <= services; ++number)
    made.push_back(rule_of(R"({"name":"service )" + std::to_string(number) + "\"}", number));
  rules.add(std::move(made));
  for (std::uint64_t number = 1; number <= 10; ++number)
    rules.add(rule_of(R"({"step":"deploy","name":"service )" + std::to_string(number) + "\"}", services + number));
  rules.add(rule_of(R"({"name":"service 1*"})", services + 11));
  rules.add(rule_of("{}", services + 12));
  EXPECT_EQ(rules.candidates("service 7").size(), 4U);
  EXPECT_EQ(rules.candidates("service 70").size(), 3U);
  EXPECT_EQ(rules.candidates("another").size(), 2U);
  rules.clear();
  EXPECT_TRUE(rules.candidates("service 7").empty());
}

}  // namespace
}  // namespace orlop
