#include "sim/rules/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "wire/json.h"

namespace orlop {
namespace {

Distribution read(const std::string& json) {
  auto found = read_distribution(parse_json(json).value(), "after");
  EXPECT_TRUE(found.ok()) << found.error().message;
  return std::move(found).value();
}

std::string distribution_refusal(const std::string& json) {
  const auto found = read_distribution(parse_json(json).value(), "after");
  return found.ok() ? "" : found.error().message;
}

Id step_id(std::uint32_t number) {
  Id id;
  for (std::size_t at = 0; at < 4; ++at) id.bytes[at] = static_cast<std::uint8_t>(number >> (8 * at));
  id.bytes[15] = static_cast<std::uint8_t>(number * 37);
  return id;
}

std::vector<double> drawn(const std::string& json, std::uint32_t count) {
  const Distribution distribution = read(json);
  std::vector<double> values;
  for (std::uint32_t step = 0; step < count; ++step) {
    Draws draws(step_id(step), Draws::Purpose::course);
    values.push_back(static_cast<double>(draw(distribution, draws).milliseconds));
  }
  std::ranges::sort(values);
  return values;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

constexpr std::uint32_t many = 20'000;

TEST(Distribution, ReadsDurations) {
  const auto fixed = [](const std::string& json) { return read(json).first; };
  EXPECT_EQ(fixed("\"30s\""), 30'000);
  EXPECT_EQ(fixed("\"2m30s\""), 150'000);
  EXPECT_EQ(fixed("\"1.5h\""), 5'400'000);
  EXPECT_EQ(fixed("\"250ms\""), 250);
  EXPECT_EQ(fixed("\"1d\""), 86'400'000);
  EXPECT_EQ(fixed("12"), 12'000);
  EXPECT_EQ(fixed("0.25"), 250);
  EXPECT_EQ(fixed("0"), 0);
}

TEST(Distribution, RefusesWhatIsNone) {
  for (const char* json : {"\"\"", "\"30\"", "\"s\"", "\"30 s\"", "\"-3s\"", "\"1.s\"", "\".5s\"", "\"1..5s\"", "-1",
                           "1e300", "null", "true", "[]", "\"99999999999999d\""}) {
    EXPECT_NE(distribution_refusal(json).find("after must be a duration like \"30s\""), std::string::npos)
        << json << distribution_refusal(json);
  }
  EXPECT_EQ(distribution_refusal(R"({"distribution":"gauss"})"),
            "after.distribution must be uniform, normal, lognormal, exponential or empirical, not \"gauss\"");
  EXPECT_EQ(distribution_refusal(R"({"distribution":"normal","mean":"3s"})"), "after.deviation is required");
  EXPECT_EQ(distribution_refusal(R"({"distribution":"lognormal","median":"3s","sigma":11})"),
            "after.sigma must be a number of 0 to 10, not 11");
  EXPECT_EQ(distribution_refusal(R"({"distribution":"normal","mean":"3s","deviation":"1s","sigmaa":1})"),
            "after.sigmaa is not a member of the distribution normal; known are \"distribution\", \"mean\", \"least\", "
            "\"most\", \"deviation\"");
  EXPECT_EQ(distribution_refusal(R"({"distribution":"uniform","least":"3s","most":"2s"})"),
            "after.least must be at most after.most, not 3000 ms, which is more than 2000 ms");
  EXPECT_EQ(distribution_refusal(R"({"distribution":"empirical","values":[]})"),
            "after.values must be a list of 1 to 100000 durations, not []");
  EXPECT_NE(distribution_refusal(R"({"distribution":"empirical","values":["1s",null]})")
                .find("after.values[1] must be a duration"),
            std::string::npos);
  EXPECT_LT(distribution_refusal("\"" + std::string(70'000, 'x') + "\"").size(), 500U);
}

// Within four standard errors of the known values of the distributions.
TEST(Distribution, HaveTheirMeansAndQuantiles) {
  const auto uniform = drawn(R"({"distribution":"uniform","least":"10s","most":"20s"})", many);
  EXPECT_NEAR(mean_of(uniform), 15'000, 90);
  EXPECT_GE(uniform.front(), 10'000);
  EXPECT_LE(uniform.back(), 20'000);

  const auto normal = drawn(R"({"distribution":"normal","mean":"60s","deviation":"10s"})", many);
  EXPECT_NEAR(mean_of(normal), 60'000, 300);
  EXPECT_NEAR(quantile(normal, 0.8413), 70'000, 500);
  EXPECT_NEAR(quantile(normal, 0.0228), 40'000, 900);

  const auto lognormal = drawn(R"({"distribution":"lognormal","median":"30s","sigma":0.5})", many);
  EXPECT_NEAR(quantile(lognormal, 0.5), 30'000, 550);
  EXPECT_NEAR(quantile(lognormal, 0.8413), 30'000 * std::exp(0.5), 1'300);
  EXPECT_NEAR(mean_of(lognormal), 30'000 * std::exp(0.125), 550);

  const auto exponential = drawn(R"({"distribution":"exponential","mean":"10s"})", many);
  EXPECT_NEAR(mean_of(exponential), 10'000, 300);
  EXPECT_NEAR(quantile(exponential, 0.5), 10'000 * std::log(2.0), 300);

  const auto empirical = drawn(R"({"distribution":"empirical","values":["1s","2s","6s"]})", many);
  EXPECT_NEAR(mean_of(empirical), 3'000, 65);
  EXPECT_EQ(empirical.front(), 1'000);
  EXPECT_EQ(empirical.back(), 6'000);
}

TEST(Distribution, StaysWithinItsBounds) {
  const auto values =
      drawn(R"({"distribution":"normal","mean":"10s","deviation":"1h","least":"5s","most":"12s"})", 1000);
  EXPECT_EQ(values.front(), 5'000);
  EXPECT_EQ(values.back(), 12'000);
  EXPECT_EQ(drawn(R"({"distribution":"normal","mean":"0s","deviation":"1h"})", 1000).front(), 0);
}

// The same for every compiler, C++ library and optimization level.
TEST(Distribution, GivesTheseNumbers) {
  const auto sum_of = [](const std::string& json) {
    std::int64_t sum = 0;
    std::int64_t place = 0;
    const Distribution distribution = read(json);
    for (std::uint32_t step = 0; step < 1000; ++step) {
      Draws draws(step_id(step), Draws::Purpose::course);
      sum += ++place * draw(distribution, draws).milliseconds;
    }
    return sum;
  };
  EXPECT_EQ(sum_of(R"({"distribution":"uniform","least":"0s","most":"1000h"})"), 894344283252206);
  EXPECT_EQ(sum_of(R"({"distribution":"normal","mean":"1000h","deviation":"100h"})"), 1806299175571302);
  EXPECT_EQ(sum_of(R"({"distribution":"lognormal","median":"1000h","sigma":0.5})"), 2094181930757619);
  EXPECT_EQ(sum_of(R"({"distribution":"exponential","mean":"1000h"})"), 1766217909987107);
  EXPECT_EQ(sum_of(R"({"distribution":"empirical","values":[1,2,3,4,5,6,7]})"), 1985114000);
}

}  // namespace
}  // namespace orlop
